/** Versions of the harness, and digests of its verifier (`environment.verifier`). */
export type KnownPrograms = {
  versions: ReadonlySet<string>
  verifiers: ReadonlySet<string>
}

/**
 * What was released; the newest last. Older lines stay: results of an earlier release are still results. A version that
 * is being made adds the digest that `runner/verify/exercise/released-verifier.int.test.ts` asks for.
 */
const RELEASES: readonly { version: string; verifiers: readonly string[] }[] = [
  {
    version: '0.1.0',
    verifiers: ['sha256:e3013f9ca6a82808bcf8cd7e917275fbc803d525c2032ea8c4ab9a6fc30170cf'],
  },
]

export const RELEASED_PROGRAMS: KnownPrograms = {
  versions: new Set(RELEASES.map(({ version }) => version)),
  verifiers: new Set(RELEASES.flatMap(({ verifiers }) => verifiers)),
}
