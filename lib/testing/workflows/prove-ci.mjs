// `npm run prove:ci`: the commands of benchmark.yml with eight shards, against a real server and a local issuer of identity
// tokens; then the runner under Bun. Needs no network but the registry's, and no Chromium.
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
