import { expect, it } from 'vitest'
import { FAILED, sayFailed } from './failed-page.ts'

it('says without scripts that a page failed, and leaves every other page as it is', () => {
  const failed = `<!DOCTYPE html>${FAILED}><head></head><body class="a"><div hidden=""></div></body></html>`
  expect(sayFailed(failed)).toMatch(/<body class="a"><noscript><h1>This page could not be loaded/)
  const shown = '<!DOCTYPE html><html lang="en"><body><h1>Runs</h1></body></html>'
  expect(sayFailed(shown)).toBe(shown)
})
