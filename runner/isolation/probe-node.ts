import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runTool, type ToolEnding } from '../process/run-tool.ts'
import { INSIDE_PATH } from './inside-paths.ts'
import type { EncloseRequest, Enclosure } from './isolation.ts'
import { PROBE_LIMITS } from './limits.ts'

const PROBE = 'proofboard-probe'

/** Starts `node --version` as an attempt would start an agent, to find out whether a sandbox works here. */
export async function probeNode(
  enclose: (request: EncloseRequest) => Promise<Enclosure>,
): Promise<ToolEnding> {
  const folder = await mkdtemp(join(tmpdir(), `${PROBE}-`))
  try {
    const places = {
      workspace: join(folder, 'workspace'),
      home: join(folder, 'home'),
      temporary: join(folder, 'tmp'),
    }
    for (const path of Object.values(places)) await mkdir(path)
    const { command, env, end } = await enclose({
      command: ['node', '--version'],
      env: { PATH: INSIDE_PATH },
      places,
      folder,
      programs: [],
      gateway: null,
      readsStdin: false,
      limits: PROBE_LIMITS,
      marker: PROBE,
      runMark: PROBE,
    })
    const argv = typeof command === 'string' ? ['/bin/sh', '-c', command] : command
    const ending = await runTool(argv, { env, timeoutMs: 30_000 })
    await end()
    return ending
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
