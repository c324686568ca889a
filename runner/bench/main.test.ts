import { afterEach, describe, expect, it, vi } from 'vitest'
import { main } from './main.ts'

describe('npm run bench', () => {
  const code = process.exitCode
  afterEach(() => {
    process.exitCode = code
    vi.restoreAllMocks()
  })

  it('prints its usage and measures nothing', async () => {
    const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    await main(['node', 'bench', '--help'])
    expect(written).toHaveBeenCalledTimes(1)
    expect(written).toHaveBeenCalledWith(expect.stringMatching(/^Usage: npm run bench.*--only/s))
    expect(process.exitCode).toBe(code)
  })

  it('names a wrong option above the usage', async () => {
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    await main(['node', 'bench', '--onyl', 'board'])
    expect(written).toHaveBeenCalledWith(expect.stringMatching(/--onyl.*Usage: npm run bench/s))
    expect(process.exitCode).toBe(2)
  })
})
