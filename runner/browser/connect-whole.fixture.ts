import CDP from 'chrome-remote-interface'
import type { BrowserLease } from './browser-house.ts'

/** A connection to the browser itself, not to one of its pages. */
export async function connectWhole(lease: BrowserLease) {
  const { webSocketDebuggerUrl } = await CDP.Version({ port: Number(new URL(lease.endpoint).port) })
  return await CDP({ target: webSocketDebuggerUrl, local: true })
}

/** Every browser gives itself an address of its own. */
export async function nameBrowser(lease: BrowserLease) {
  const { webSocketDebuggerUrl } = await CDP.Version({ port: Number(new URL(lease.endpoint).port) })
  return new URL(webSocketDebuggerUrl).pathname
}
