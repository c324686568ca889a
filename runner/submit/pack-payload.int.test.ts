import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { unpackTar } from 'modern-tar'
import { afterAll, expect, it } from 'vitest'
import { packPayload } from './pack-payload.ts'

const root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

it('packs a job folder of Harbor whole, with modes and the registered plan, and without links', async () => {
  const job = join(root, 'run_job')
  const state = join(job, 'greet__a', 'artifacts', 'app')
  mkdirSync(state, { recursive: true })
  for (const name of ['config.json', 'result.json', 'lock.json', 'plan.json'])
    writeFileSync(join(job, name), '{}')
  writeFileSync(join(state, 'run.sh'), '#!/bin/sh\n')
  chmodSync(join(state, 'run.sh'), 0o755)
  symlinkSync('/etc/passwd', join(state, 'link'))
  const plan = join(root, 'registered.json')
  writeFileSync(plan, '{"registered":true}')
  const { file } = await packPayload(job, { scratch: root, index: 0, plan })
  const entries = await unpackTar(gunzipSync(readFileSync(file)))
  expect(entries.map(({ header }) => [header.name, header.mode])).toEqual([
    ['config.json', 0o644],
    ['greet__a/artifacts/app/run.sh', 0o755],
    ['lock.json', 0o644],
    ['plan.json', 0o644],
    ['result.json', 0o644],
  ])
  const packed = entries.find(({ header }) => header.name === 'plan.json')
  expect(Buffer.from(packed?.data ?? []).toString()).toBe('{"registered":true}')
})
