import CDP from 'chrome-remote-interface'
import type { BrowserLease } from './browser-pool.ts'

/** A page that changes what its readers would use, hides members behind names, and does not want to be left. */
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
