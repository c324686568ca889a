import { formatBytes, formatCount, formatUsd, UNKNOWN } from '#components/format/number.ts'
import { formatDuration } from '#components/format/time.ts'
import { visibleText } from '#components/format/visible-text.ts'
import { ScrollBox } from '#components/ui/scroll-box.tsx'
import type { GatewayCall } from '#lib/domain/gateway-call.ts'

const COLUMNS = [
  'Call',
  'Answer',
  'Model',
  'Tools',
  'Tokens in, out',
  'USD',
  'First byte',
  'Whole',
  'Sent, got',
]

/** The agent's calls to its model, as the gateway between them saw them. */
export function GatewayCalls({ calls }: { calls: readonly GatewayCall[] | null }) {
  if (calls === null) {
    return <p className="text-muted">No gateway stood between the subject and a model.</p>
  }
  if (calls.length === 0) return <p className="text-muted">The subject never asked its model.</p>
  return (
    <ScrollBox
      aria-label="Calls to the model"
      className="max-h-[36rem] overflow-auto border-line border-b"
    >
      <table className="w-full min-w-[60rem]">
        <thead>
          <tr className="text-left text-muted text-xs">
            {COLUMNS.map((name) => (
              <th
                className="sticky top-0 h-9 border-line-strong border-b bg-bg pr-4 font-normal"
                key={name}
                scope="col"
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {calls.map((call) => (
            <CallLine call={call} key={call.number} />
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

function CallLine({ call }: { call: GatewayCall }) {
  const { tokens } = call
  return (
    <tr className="h-9 border-line border-t align-baseline">
      <td className="pr-4" title={call.startedAt}>
        {call.number}
      </td>
      <td className="whitespace-nowrap pr-4">{sayAnswer(call)}</td>
      <td className="untrusted pr-4">{visibleText(call.model ?? UNKNOWN)}</td>
      <td className="untrusted max-w-60 pr-4">
        {visibleText(call.toolCalls.join(', ') || UNKNOWN)}
      </td>
      <td className="whitespace-nowrap pr-4" title={sayTokens(call)}>
        {formatCount(tokens.input)}, {formatCount(tokens.output)}
      </td>
      <td className="pr-4">{formatUsd(call.costMicroUsd)}</td>
      <td className="whitespace-nowrap pr-4">
        {call.firstByteMs === null ? UNKNOWN : formatDuration(call.firstByteMs)}
      </td>
      <td className="whitespace-nowrap pr-4">{formatDuration(call.durationMs)}</td>
      <td className="whitespace-nowrap">
        {formatBytes(call.requestBytes)}, {formatBytes(call.responseBytes)}
      </td>
    </tr>
  )
}

const ENDINGS: Record<string, string> = {
  whole: '',
  'client-gone': 'the agent left',
  'upstream-cut': 'cut off',
  unreachable: 'not reached',
  fault: 'broken on purpose',
  budget: 'budget spent',
  'replay-miss': 'not in the recording',
  refused: 'refused',
}

function sayAnswer({ status, ending, fault, retryOf, isStep }: GatewayCall): string {
  const parts = [
    status === null ? 'no status' : String(status),
    isStep ? 'step' : null,
    fault ? `fault ${fault}` : (ENDINGS[ending] ?? ending),
    retryOf === null ? null : `again ${retryOf}`,
  ]
  return visibleText(parts.filter(Boolean).join(', '))
}

function sayTokens({ tokens: { cacheRead, cacheWrite, reasoning } }: GatewayCall): string {
  return `from cache ${formatCount(cacheRead)}, into cache ${formatCount(cacheWrite)}, reasoning ${formatCount(reasoning)}`
}
