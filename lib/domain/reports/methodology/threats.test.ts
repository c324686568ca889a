import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { MARKDOWN, openPages } from '#lib/testing/factories/methodology-pages.ts'
import { ELIGIBILITY_RULES } from '../../eligibility/index.ts'
import { isScored } from '../../record/index.ts'
import { ATTACK_CLASS_IDS } from '../attack-audit.ts'
import { FINDINGS } from './findings.ts'
import { describeThreats, THREATS } from './threats.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..', '..')
/** Folders of everything that judges an attempt; findings are created nowhere else. */
const JUDGES = ['verify', 'engine', 'workflow', 'repository'].map((folder) =>
  join(ROOT, 'runner', folder),
)
const NOT_A_JUDGE = /\.test\.ts$|\/(testing|cheats)\//

/** Reads the codes that the verifiers can write from their sources. */
function codesInSources(): Set<string> {
  const sources = JUDGES.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  ).filter((path) => path.endsWith('.ts') && !NOT_A_JUDGE.test(path))
  const codes = sources.flatMap((path) =>
    [
      ...readFileSync(path, 'utf8').matchAll(
        /(?:addFinding\(|code: |find\(work, )'([a-z][a-z-]+)'/g,
      ),
    ].map(([, code = '']) => code),
  )
  return new Set(codes)
}

describe('the threat model', () => {
  it('explains exactly the findings that the verifiers can write', () => {
    expect(FINDINGS.map(({ code }) => code).sort()).toEqual([...codesInSources()].sort())
  })

  it('says for every finding which attack leads to it', () => {
    const named = new Set<string>(THREATS.flatMap(({ findings }) => findings))
    expect(FINDINGS.map(({ code }) => code).filter((code) => !named.has(code))).toEqual([])
    for (const { id, findings, outcomes } of THREATS)
      if (findings.length > 0) expect(outcomes, id).toContain('tampered')
  })

  it('has a row for every class of the audit', () => {
    const played = new Set(THREATS.flatMap(({ audit }) => audit))
    expect(ATTACK_CLASS_IDS.filter((id) => !played.has(id))).toEqual([])
  })

  it('names only rules that refuse rows, and no outcome by which an attack pays', () => {
    const rules = new Set(ELIGIBILITY_RULES.map(({ code }) => code))
    for (const threat of THREATS) {
      expect(
        threat.rules.filter((code) => !rules.has(code)),
        threat.id,
      ).toEqual([])
      expect(threat.outcomes, threat.id).not.toContain('solved')
      const excluded = threat.outcomes.filter((status) => !isScored(status))
      expect(excluded, threat.id).toEqual(threat.id === 'replaces-verifier' ? ['void'] : [])
    }
  })

  it('describes every threat: attack, defence and evidence', () => {
    const described = describeThreats([...openPages().values()])
    expect(described.map(({ id }) => id)).toEqual(THREATS.map(({ id }) => id))
    for (const { title, attack, stops, shows } of described)
      for (const text of [title, attack, stops, shows]) expect(text).not.toBe('')
  })

  it('leads to the audit', () => {
    expect(MARKDOWN.get('threats')).toContain('](/audit)')
    expect(existsSync(join(ROOT, 'app', '(board)', 'audit', 'page.tsx'))).toBe(true)
  })

  it('promises nothing that cannot be kept', () => {
    const pages = ['verification', 'threats', 'more-threats', 'isolation']
    const text = pages.map((slug) => MARKDOWN.get(slug)?.replace(/\s+/g, ' ')).join('\n')
    expect(text).not.toMatch(/nobody can|impossible|unforgeable|cannot be (forged|cheated)|100 %/i)
    for (const limit of [
      'plain user',
      'Edited figures that are consistent',
      'what only the page of a browser workflow showed are accepted',
      'without a key',
      'administrator',
    ])
      expect(text).toContain(limit)
  })
})
