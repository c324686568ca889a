import type { Session } from './library-adapter.ts'

/**
 * How a WebDriver library attaches to the harness's browser through the harness's chromedriver. Throws when there is
 * none.
 */
export function webdriverCapabilities(session: Session) {
  const { endpoint, webdriverPort, actionTimeoutMs } = session
  if (webdriverPort === null) throw new Error('there is no chromedriver to connect to')
  return {
    server: { hostname: '127.0.0.1', port: webdriverPort },
    capabilities: {
      browserName: 'chrome',
      'goog:chromeOptions': { debuggerAddress: new URL(endpoint).host },
      pageLoadStrategy: 'eager' as const,
      unhandledPromptBehavior: 'accept' as const,
      timeouts: { implicit: 0, pageLoad: actionTimeoutMs, script: actionTimeoutMs },
    },
  }
}
