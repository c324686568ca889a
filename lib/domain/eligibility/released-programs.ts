/** Versions of the harness, and digests of its verifier (`environment.verifier`). */
export type KnownPrograms = {
  versions: ReadonlySet<string>
  verifiers: ReadonlySet<string>
}

/**
 * Releases, newest last. Older lines stay: results of an earlier release remain valid. A new version adds the digest
 * that `runner/verify/exercise/released-verifier.int.test.ts` prints.
 */
const RELEASES: readonly { version: string; verifiers: readonly string[] }[] = [
  {
    version: '0.1.0',
    verifiers: ['sha256:74ba038c202429604e064755e89f0e8d18fb8733e12005bfecff9069738f8e2f'],
  },
  {
    version: '0.2.0',
    verifiers: ['sha256:74ba038c202429604e064755e89f0e8d18fb8733e12005bfecff9069738f8e2f'],
  },
  {
    version: '0.3.0',
    verifiers: ['sha256:74ba038c202429604e064755e89f0e8d18fb8733e12005bfecff9069738f8e2f'],
  },
]

export const RELEASED_PROGRAMS: KnownPrograms = {
  versions: new Set(RELEASES.map(({ version }) => version)),
  verifiers: new Set(RELEASES.flatMap(({ verifiers }) => verifiers)),
}
