import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeTools } from './describe-tools.ts'
import { findLibrary } from './registry.ts'

const NAME = '%s describes its tools'
it.each(['playwright-mcp'])(NAME, describesItsTools)
it.each(['chrome-devtools-mcp', 'agent-browser'])(NAME, { tags: 'night' }, describesItsTools)

/** Their tools are listed before a browser is searched. */
async function describesItsTools(name: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'pb-tools-'))
  try {
    const server = await findLibrary(name)?.openTools?.({
      endpoint: 'http://127.0.0.1:9',
      webdriverPort: null,
      actionTimeoutMs: 30_000,
      folder,
      signal: new AbortController().signal,
      log: () => {},
      countResult: () => {},
    })
    const report = await describeTools(server?.tools ?? [])
    await server?.close()
    expect(report.tools).toBeGreaterThan(10)
    expect(report.described).toEqual({ have: report.tools, of: report.tools })
    expect(report.parametersTyped.have).toBeGreaterThan(0)
    expect(report.tokens).toBeGreaterThan(2000)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
