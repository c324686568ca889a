import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

const CONFIGURATION = [
  'package.json',
  'tsconfig.json',
  'biome.json',
  '.biome',
  '.dependency-cruiser.mjs',
  'knip.json',
]

/** A small project with the real configuration and packages, and the given files. */
export type PlantedTree = { root: string; remove: () => void }

/** Writes `files` (path → source) to a temporary folder with the project's configuration. */
export function plantTree(files: Readonly<Record<string, string>>): PlantedTree {
  const root = mkdtempSync(join(tmpdir(), 'proofboard-walls-'))
  for (const name of CONFIGURATION) cpSync(name, join(root, name), { recursive: true })
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'))
  for (const [path, source] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), source)
  }
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) }
}

type WallEnding = { code: number; stdout: string; stderr: string }

/** Runs a tool of the project in that folder and returns its output and exit code. */
export async function runToolOnTree(root: string, args: readonly string[]): Promise<WallEnding> {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  const data = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      data[name] += text
    })
  }
  const [code] = await once(child, 'close')
  return { code: Number(code), ...data }
}
