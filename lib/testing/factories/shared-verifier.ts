import { createVerifier } from '#runner/verify/exercise/create-verifier.ts'
import type { ExerciseVerifier } from '#runner/verify/exercise/verifier-types.ts'

// On globalThis, because test files that share a process evaluate their modules again.
const shared = globalThis as { sharedVerifier?: ExerciseVerifier & { end: () => Promise<void> } }

/** One verifier for all tests of this process, which cannot close it: starting its compiler takes two seconds. */
export function sharedVerifier(): ExerciseVerifier {
  shared.sharedVerifier ??= keepOpen(createVerifier())
  return shared.sharedVerifier
}

/** Ends it, for tests that count processes of verifiers. */
export async function endSharedVerifier(): Promise<void> {
  await shared.sharedVerifier?.end()
  delete shared.sharedVerifier
}

const keepOpen = (verifier: ExerciseVerifier) => ({
  ...verifier,
  close: async () => {},
  end: verifier.close,
})
