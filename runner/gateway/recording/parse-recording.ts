import { digestJson } from '#lib/domain/digest.ts'
import { parseJson } from '../meter/json-value.ts'
import { type Recording, recordingSchema } from './recording.ts'

export type ParsedRecording = { ok: true; value: Recording } | { ok: false; problem: string }

/** A recording from outside: right shape, all calls there, digest over the content. */
export function parseRecording(text: string): ParsedRecording {
  const parsed = recordingSchema.safeParse(parseJson(text))
  if (!parsed.success)
    return { ok: false, problem: `this is no recording: ${parsed.error.issues[0]?.message}` }
  const { manifest, calls } = parsed.data
  if (manifest.digest !== recordingDigest(parsed.data))
    return { ok: false, problem: 'the recording was changed after it was made: its digest differs' }
  if (manifest.callCount !== calls.length)
    return { ok: false, problem: 'the recording does not hold as many calls as it says' }
  return { ok: true, value: parsed.data }
}

/** Digest of everything in a recording but the digest itself. */
export function recordingDigest({ manifest, calls }: Recording): Recording['manifest']['digest'] {
  const { digest: _, ...rest } = manifest
  return digestJson({ manifest: rest, calls })
}
