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
    verifiers: ['sha256:34ea53af97e2f30d55cd1b0fd06b1a06fb1e9e64aad2d7a96a16a7097c122d68'],
  },
]

export const RELEASED_PROGRAMS: KnownPrograms = {
  versions: new Set(RELEASES.map(({ version }) => version)),
  verifiers: new Set(RELEASES.flatMap(({ verifiers }) => verifiers)),
}
