import type { ReactNode } from 'react'
import type { ComparisonPreview, RowPreview, WhiskerPosition } from '#lib/domain/reports/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import type { ChartPreview, PreviewRow } from './chart-preview.ts'
import { fitted } from './names.ts'

/** A row's link preview, with its tier as large as its rate. */
export function renderRowImage(preview: RowPreview) {
  const { suite, subject, rate, whisker, tier, label, isClaim, size, measured } = preview
  const color = isClaim ? INK.claim : INK.refused
  return (
    <PictureFrame suite={suite}>
      <div
        style={{
          display: 'flex',
          fontSize: subject.length > LONG_SUBJECT ? 32 : 40,
          wordBreak: 'break-word',
        }}
      >
        {subject}
      </div>
      <div style={{ display: 'flex', flexDirection: 'column', color }}>
        <div style={{ display: 'flex', fontSize: 76 }}>{rate}</div>
        <div style={{ display: 'flex', alignItems: 'flex-end', gap: 24 }}>
          <span style={{ fontSize: 76 }}>{tier}</span>
          {label === null ? null : <span style={{ paddingBottom: 16 }}>{label}</span>}
        </div>
      </div>
      <PictureWhisker color={color} place={whisker} />
      <div style={{ display: 'flex', justifyContent: 'space-between', color: INK.muted }}>
        <span>{size}</span>
        <span>{`measured ${measured}`}</span>
      </div>
    </PictureFrame>
  )
}

/** Length of two lines in the larger font size. */
const LONG_SUBJECT = 80
const NAME_WIDTH = 440
/** Mean width of a letter, relative to the font size. */
const LETTER_WIDTH = 0.56

const ONE_LINE = { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const

/** A comparison's link preview: each row's rate with its interval, and the verdict. */
export function renderComparisonImage(preview: ComparisonPreview) {
  const { suite, rows, sentence, standing, isClaim, tasks } = preview
  return (
    <PictureFrame suite={suite}>
      <PictureRows rows={rows.map(({ rate: text, ...row }) => ({ ...row, text }))} />
      <div
        style={{
          display: 'flex',
          flexDirection: 'column',
          color: isClaim ? INK.claim : INK.refused,
        }}
      >
        {sentence === null ? null : (
          <div style={{ display: 'flex', fontSize: 32, color: INK.text, wordBreak: 'break-word' }}>
            {sentence}
          </div>
        )}
        <div style={{ display: 'flex', alignItems: 'flex-end', justifyContent: 'space-between' }}>
          <span style={{ fontSize: 44 }}>{standing}</span>
          <span style={{ color: INK.muted }}>{countOf(tasks, 'task')}</span>
        </div>
      </div>
    </PictureFrame>
  )
}

/** The preview card of a chart: its first entries with their values. */
export function renderChartImage(preview: ChartPreview) {
  const { suite, title, unit, rows, more, sample, source } = preview
  return (
    <PictureFrame suite={suite}>
      <div style={{ display: 'flex', flexDirection: 'column' }}>
        <div style={{ display: 'flex', fontSize: 40 }}>{title}</div>
        <div style={{ display: 'flex', fontSize: 24, color: INK.muted }}>{unit}</div>
      </div>
      <PictureRows rows={rows} />
      <div style={{ display: 'flex', flexDirection: 'column', fontSize: 24, color: INK.muted }}>
        {more === null ? null : <span>{more}</span>}
        <span>{sample}</span>
        <span>{source}</span>
      </div>
    </PictureFrame>
  )
}

/** One line per entry: name, interval, and value. */
function PictureRows({ rows }: { rows: readonly PreviewRow[] }) {
  const isMany = rows.length > 4
  const size = isMany ? 24 : 32
  return (
    <div style={{ display: 'flex', flexDirection: 'column', gap: isMany ? 4 : 20 }}>
      {rows.map(({ name, text, whisker, isClaim, colour = 0 }) => (
        <div key={name} style={{ display: 'flex', alignItems: 'center', gap: 24, fontSize: size }}>
          <div style={{ display: 'block', width: NAME_WIDTH, ...ONE_LINE }}>
            {fitted(name, NAME_WIDTH / (size * LETTER_WIDTH))}
          </div>
          <div style={{ display: 'flex', flex: 1 }}>
            <PictureWhisker
              color={ENTRY_INKS[colour - 1] ?? (isClaim ? INK.claim : INK.refused)}
              place={whisker}
            />
          </div>
          <div style={{ display: 'flex', width: 220, justifyContent: 'flex-end' }}>{text}</div>
        </div>
      ))}
    </div>
  )
}

/** Fixed, because images have no theme; each colour has a contrast of at least 4.5 : 1. */
const INK = {
  ground: '#ffffff',
  text: '#1a1b1e',
  muted: '#5a5d64',
  line: '#d5d7dc',
  claim: '#0a6a62',
  refused: '#5a5d64',
} as const

/** The colours of entries in the light theme, as app/globals.css has them. */
export const ENTRY_INKS = [
  ...['#385107', '#6b961e', '#001496', '#4f42c9'],
  ...['#a071fc', '#481e52', '#84456b', '#e8519f'],
]

/** Frame with the suite at the top and the content below. */
function PictureFrame({ suite, children }: { suite: string; children: ReactNode }) {
  return (
    <div
      style={{
        display: 'flex',
        flexDirection: 'column',
        justifyContent: 'space-between',
        width: '100%',
        height: '100%',
        padding: '56px 64px',
        background: INK.ground,
        color: INK.text,
        fontSize: 30,
      }}
    >
      <div style={{ display: 'flex', justifyContent: 'space-between', color: INK.muted }}>
        <span>Proofboard</span>
        <span>{`suite ${suite}`}</span>
      </div>
      {children}
    </div>
  )
}

/** The interval on a scale from 0 to 100 %. */
function PictureWhisker({ place, color }: { place: WhiskerPosition; color: string }) {
  return (
    <div style={{ display: 'flex', position: 'relative', width: '100%', height: 40 }}>
      <Bar color={INK.line} height={2} left={0} top={19} width={100} />
      {place ? (
        <Bar
          color={color}
          height={8}
          left={place.low}
          top={16}
          width={Math.max(0.5, place.high - place.low)}
        />
      ) : null}
      {place ? (
        <div
          style={{
            position: 'absolute',
            left: `${place.rate}%`,
            top: 6,
            width: 28,
            height: 28,
            marginLeft: -14,
            borderRadius: 14,
            background: color,
          }}
        />
      ) : null}
    </div>
  )
}

type BarProps = { left: number; width: number; top: number; height: number; color: string }

function Bar({ left, width, top, height, color }: BarProps) {
  const place = { left: `${left}%`, width: `${width}%`, top, height }
  return <div style={{ position: 'absolute', background: color, ...place }} />
}
