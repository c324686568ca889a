import { setTimeout as sleep } from 'node:timers/promises'
import CDP from 'chrome-remote-interface'
import type { BrowserLease } from './browser-pool.ts'

/** A page that changes built-ins that its readers would use, hides members behind names, and blocks leaving. */
export const HOSTILE_PAGE = `<!doctype html><title>shop</title>
<h1>Orders</h1><ul><li>Mug   2</li><li>Tea</li><li style="display:none">hidden</li></ul>
<form><input id="name" value="Ada"><input name="innerText" aria-label="trap"></form>
<img name="querySelectorAll">
<script>
  Array.prototype.map = String.prototype.trim = Document.prototype.querySelectorAll = () => 'no'
  Object.defineProperty(HTMLElement.prototype, 'innerText', { get: () => { throw new Error('no') } })
  localStorage.cart = 'mug'; sessionStorage.step = '2'; indexedDB.open('orders')
  onbeforeunload = (event) => { event.preventDefault(); return 'stay' }
</script>`

/** Opens a connection to the browser itself, not to one of its pages. */
export async function connectWhole(lease: BrowserLease) {
  const { webSocketDebuggerUrl } = await CDP.Version({ port: Number(new URL(lease.endpoint).port) })
  return await CDP({ target: webSocketDebuggerUrl, local: true })
}

/** Identifies a browser by its own address. */
export async function nameBrowser(lease: BrowserLease) {
  const { webSocketDebuggerUrl } = await CDP.Version({ port: Number(new URL(lease.endpoint).port) })
  return new URL(webSocketDebuggerUrl).pathname
}

/**
 * Waits until Chromium lists these pages, the last used one first; it opens, orders and closes pages asynchronously.
 */
export async function untilListed(lease: BrowserLease, urls: readonly string[]): Promise<void> {
  const port = Number(new URL(lease.endpoint).port)
  for (const end = Date.now() + 20_000; Date.now() < end; await sleep(25)) {
    const pages = (await CDP.List({ port })).filter(({ type }) => type === 'page')
    if (pages.map(({ url }) => url).join() === urls.join()) return
  }
  throw new Error(`the browser never listed ${urls.join(', ')}`)
}
