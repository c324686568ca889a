// Compiles src and test with esbuild, without bundling, and runs the tests; further arguments go to node.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildSync } from 'esbuild'

const out = mkdtempSync(join(tmpdir(), 'outbox-'))
const list = (folder) =>
  readdirSync(folder).filter((name) => name.endsWith('.ts')).map((name) => join(folder, name))
let code = 1
try {
  writeFileSync(join(out, 'package.json'), '{"type":"module"}')
  buildSync({ entryPoints: [...list('src'), ...list('test')], outdir: out, outbase: '.', format: 'esm', logLevel: 'error' })
  const tests = readdirSync(join(out, 'test')).filter((name) => name.endsWith('.test.js'))
  const files = tests.map((name) => join(out, 'test', name))
  code = spawnSync(process.execPath, ['--test', ...process.argv.slice(2), ...files], { stdio: 'inherit' }).status ?? 1
} finally {
  rmSync(out, { recursive: true, force: true })
}
process.exit(code)
