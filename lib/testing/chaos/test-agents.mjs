// `npm run test:agents [-- --only pi,codex --isolation local,bubblewrap]`: real agents, installed by npm, against the
// scripted model, through the real command line.
import { spawn } from 'node:child_process'
import { readArguments } from '../../setup/read-arguments.mjs'

const { values } = readArguments(
  'npm run test:agents [-- --only pi,codex --isolation local,bubblewrap]',
  { only: { type: 'string' }, isolation: { type: 'string' } },
)
const child = spawn(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--project', 'agents'],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      ...(values.only && { PROOFBOARD_TEST_AGENTS: values.only }),
      ...(values.isolation && { PROOFBOARD_TEST_ISOLATION: values.isolation }),
    },
  },
)
child.on('exit', (code) => {
  process.exitCode = code ?? 1
})
