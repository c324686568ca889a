import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { episodesIn, isLibraryTried, readEvidenceText } from '#lib/testing/factories/chromium.ts'
import { startProofboard } from '#lib/testing/factories/proofboard-command.ts'

const LIBRARIES = ['playwright', 'puppeteer', 'cdp'].filter(isLibraryTried)

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

async function playBroken(library: string, fault: string) {
  const out = join(root, `${library}-${fault}`)
  const { code } = await startProofboard(join(root, 'data'), [
    ...['run', '--suite', 'browser', '--subject', library, '--tasks', 'console-unpaid-note'],
    ...['--fault', fault, '--out', out],
  ]).ended
  expect(code).toBe(0)
  const [episode] = episodesIn(out)
  if (!episode) throw new Error('nothing was sealed')
  const { fault: firing, state } = JSON.parse(readEvidenceText(out, episode, 'final-state.json'))
  return { episode, firing, notes: state.notes as unknown[] }
}

describe('a fault is the same for every library', { tags: 'chromium' }, () => {
  it.each([
    ['re-render', 'GET /api/customers/*/invoices'],
    ['lost-response', 'POST /api/customers/*/notes'],
  ])(
    '%s fires at the same request and doubles nothing',
    async (fault, request) => {
      const points: (string | undefined)[] = []
      for (const library of LIBRARIES) {
        const { episode, firing, notes } = await playBroken(library, fault)
        expect(episode.fault).toMatchObject({ plan: fault, firedAt: firing.at })
        expect(episode.fault?.point).toBe(`${request}: ${firing.evidence}`)
        expect(notes).toHaveLength(1)
        expect(episode.outcome.status).toBe('solved')
        points.push(episode.fault?.point)
      }
      expect(new Set(points).size).toBe(1)
    },
    200_000,
  )
})
