import { formatDuration } from '../ui/format.ts'
import { type Chart, heightOfRows } from './chart.ts'

/** One part of an attempt, with a colour of the theme. */
type Phase = { name: string; what: string; ms: number; tone: string }

/** The phases of one attempt in order, as parts of one bar. */
export function phaseChart(phases: readonly Phase[]): Chart | null {
  if (phases.length === 0) return null
  let done = 0
  const points = phases.map(({ name, what, ms }, series) => {
    const from = done
    done += ms / 1000
    return {
      id: name,
      series,
      name,
      from,
      x: done,
      y: 0,
      isSolid: true,
      text: `${formatDuration(ms)}. ${what}`,
    }
  })
  const descriptions = phases.map(({ name, ms }) => `${name}: ${formatDuration(ms)}`)
  return {
    label: `Time by phase. ${descriptions.join('; ')}.`,
    x: { title: 'seconds', format: 'number', scale: 'linear' },
    y: { title: '', format: 'number', scale: 'linear' },
    rows: [{ name: '' }],
    series: phases.map(({ name, tone }) => ({
      id: name,
      name,
      tone,
      style: { colour: 0, pattern: 0 },
    })),
    points,
    hasNoLegend: true,
    height: heightOfRows(1),
  }
}
