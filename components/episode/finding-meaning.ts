import { FINDINGS } from '#lib/domain/methodology/findings.ts'

const MEANINGS: ReadonlyMap<string, string> = new Map(
  FINDINGS.map(({ code, meaning }) => [code, meaning]),
)

/** What a finding means, in one sentence; null = the code is not known here, and its detail stands alone. */
export function findingMeaning(code: string): string | null {
  return MEANINGS.get(code) ?? null
}
