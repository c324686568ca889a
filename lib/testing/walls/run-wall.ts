import { spawn } from 'node:child_process'
import { once } from 'node:events'

export type WallEnding = { code: number; stdout: string; stderr: string }

/** Runs a tool of ours in a planted tree: what it said and how it ended. */
export async function runWall(root: string, args: readonly string[]): Promise<WallEnding> {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text
    })
  }
  const [code] = await once(child, 'close')
  return { code: Number(code), ...said }
}
