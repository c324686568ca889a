/** Versions of the harness, and digests of its verifier (`environment.verifier`). */
export type KnownPrograms = {
  versions: ReadonlySet<string>
  verifiers: ReadonlySet<string>
}

/**
 * What was released; the newest last. Older lines stay: results of an earlier release are still results. A version that
 * is being made adds the digest that `runner/contracts/exercise/released-verifier.int.test.ts` asks for.
 */
const RELEASES: readonly { version: string; verifiers: readonly string[] }[] = [
  {
    version: '0.1.0',
    verifiers: ['sha256:6962e1f4efbc41f714487521a3157bd96eb4d2379e0b8c249507d9a95c38e1c9'],
  },
]

export const RELEASED_PROGRAMS: KnownPrograms = {
  versions: new Set(RELEASES.map(({ version }) => version)),
  verifiers: new Set(RELEASES.flatMap(({ verifiers }) => verifiers)),
}
