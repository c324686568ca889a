import { BOARD_CHARTS, type ChartScale } from '#lib/domain/api/index.ts'

/** Parameters that determine a chart, for its page and its files. */
export type ChartQuery = {
  suite: string
  chart: string
  version?: string | null | undefined
  band?: string | null | undefined
  scale?: ChartScale
  /** Row ids, separated by commas. */
  entries?: string
  /** The agent of a history. */
  agent?: string | null | undefined
  model?: string | null | undefined
}

/** Address of a chart's values as a download. */
export function chartFile(query: ChartQuery, format: 'csv' | 'json'): string {
  return `/api/v1/leaderboard/chart?${searchOf(query)}&format=${format}`
}

/** The page of a chart. */
export function chartPage({ chart, ...query }: ChartQuery): string {
  const { suite, agent, model } = query
  if (agent) return `/agents/${encodeURIComponent(agent)}#history-${suite}`
  if (model) return `/models/${encodeURIComponent(model)}#history-${suite}`
  const board = BOARD_CHARTS.find((name) => name === chart)
  return board
    ? `/?${searchOf({ ...query, chart: TAB_OF[board] ?? board })}#charts`
    : `/reports/${chart}?suite=${encodeURIComponent(suite)}#chart`
}

/** Charts that belong to the tab of another one. */
export const TAB_OF: Readonly<Record<string, string>> = {
  'time-distribution': 'time',
  'token-distribution': 'tokens',
}

function searchOf(query: ChartQuery): string {
  const { suite, chart, version, band, scale, entries, agent, model } = query
  const search = new URLSearchParams({ suite, chart })
  if (version) search.set('version', version)
  if (band) search.set('band', band)
  if (scale === 'linear') search.set('scale', scale)
  if (entries) search.set('entries', entries)
  if (agent) search.set('agent', agent)
  if (model) search.set('model', model)
  return search.toString()
}
