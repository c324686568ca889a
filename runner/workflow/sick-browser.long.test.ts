import { mkdtempSync, rmSync } from 'node:fs'
import { it } from 'vitest'
import { expectVoid } from '#lib/testing/cases/sick-browser.ts'

it('a Chromium that hangs at its start makes void attempts, and nothing is left', async () => {
  const root = mkdtempSync('/tmp/pb-') // short, because a profile is three folders below it
  const words = 'opened no debugging port within 20 s'
  await expectVoid(root, { name: 'hangs', does: 'exec sleep 300', words })
  rmSync(root, { recursive: true, force: true })
}, 150_000)
