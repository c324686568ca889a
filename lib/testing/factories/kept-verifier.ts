import { createVerifier } from '#runner/verify/exercise/create-verifier.ts'
import type { ExerciseVerifier } from '#runner/verify/exercise/verifier-types.ts'

// On globalThis, because test files that share a process evaluate their modules anew.
const shared = globalThis as { keptVerifier?: ExerciseVerifier & { end: () => Promise<void> } }

/** One verifier for all tests of this process, which cannot close it: waking its compiler takes two seconds. */
export function keptVerifier(): ExerciseVerifier {
  shared.keptVerifier ??= keepOpen(createVerifier())
  return shared.keptVerifier
}

/** For tests that count processes of verifiers. */
export async function endKeptVerifier(): Promise<void> {
  await shared.keptVerifier?.end()
  delete shared.keptVerifier
}

const keepOpen = (verifier: ExerciseVerifier) => ({
  ...verifier,
  close: async () => {},
  end: verifier.close,
})
