import type { GatewayCall } from '#lib/domain/record/index.ts'
import { AnswerMeter } from './answer-meter.ts'
import { readBilledUsage } from './billed-usage.ts'
import type { RecordedCall, Recording } from './recording.ts'

/** Model and tokens of one recorded response. */
export type ReadCall = Pick<GatewayCall, 'model' | 'tokens'>

/** Meters every successful response of a recording as the gateway did originally. */
export async function readRecordedCalls({ calls }: Recording): Promise<ReadCall[]> {
  return Promise.all(calls.filter(({ status }) => status < 300).map(readCall))
}

async function readCall({ protocol, headers, body }: RecordedCall): Promise<ReadCall> {
  // Recorded bodies are already decoded.
  const meter = new AnswerMeter(protocol, { type: headers['content-type'] ?? '', encoding: '' })
  await meter.write(Buffer.from(body.data, body.encoding))
  const reading = await meter.end()
  return { model: reading.model, tokens: readBilledUsage(protocol, reading).tokens }
}
