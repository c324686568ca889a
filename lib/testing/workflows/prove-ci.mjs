// `npm run prove:ci`: plays benchmark.yml on this machine, eight shards and all, against a real Proofboard and a local
// issuer of identity tokens; then what the runner does under Bun. Needs no network but the registry's, and no Chromium.
import { spawn } from 'node:child_process'
import { readArguments } from '../../setup/read-arguments.mjs'

readArguments('npm run prove:ci', {})

const VITEST = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=verbose']
const ROUNDS = [
  ['--project', 'integration', 'lib/testing/workflows'],
  ['--project', 'e2e-long', 'lib/testing/workflows'],
]

for (const round of ROUNDS) {
  const child = spawn(process.execPath, [...VITEST, ...round], {
    stdio: 'inherit',
    env: { ...process.env, PROOFBOARD_PROVE_CI: '1' },
  })
  const code = await new Promise((resolve) => child.on('exit', resolve))
  if (code !== 0) process.exitCode = code ?? 1
}
