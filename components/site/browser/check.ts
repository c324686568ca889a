// Script of the page that verifies a static copy in the browser.
import { type CopyReport, checkCopy, describeCopyReport } from '#lib/domain/archive/index.ts'
import { digestBytes } from '#lib/domain/digest/index.ts'
import type { LedgerKey } from '#lib/domain/ledger/index.ts'

const top = new URL('../', location.href)
const status = place('status')
const list = place('details')

start().catch((error: unknown) => {
  show('bad', 'This copy cannot be checked.', [
    String(error instanceof Error ? error.message : error),
  ])
})

async function start(): Promise<void> {
  if (location.protocol === 'file:')
    return show('bad', 'A browser may not read the files of your disk one by one.', [
      'Serve this folder (for example: npx serve), or run: npx proofboard server board check-static <folder>',
    ])
  const report = await checkCopy({
    read,
    digest,
    verify,
    onFile: (done, total) => show('busy', `Checking file ${done} of ${total}…`, []),
  })
  showReport(report)
}

function showReport(report: CopyReport): void {
  const { isWhole, title, lines } = describeCopyReport(report)
  show(isWhole ? 'good' : 'bad', title, lines)
}

/** Bypasses the browser's cache, which could contain an earlier state of the copy. */
async function read(path: string): Promise<Uint8Array | null> {
  const response = await fetch(new URL(path, top), { cache: 'no-store' })
  if (response.status === 404) return null
  if (!response.ok) throw new Error(`${path}: the host answered ${response.status}`)
  return new Uint8Array(await response.arrayBuffer())
}

/** Uses Web Crypto on https and localhost, and a JavaScript implementation elsewhere. */
async function digest(bytes: Uint8Array): Promise<string> {
  if (!globalThis.crypto?.subtle) return digestBytes(bytes)
  const sum = new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(bytes)))
  return `sha256:${[...sum].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

async function verify(
  text: string,
  signature: string,
  { keyId, publicKey }: LedgerKey,
): Promise<boolean | null> {
  const raw = fromBase64(publicKey)
  if (digestBytes(raw) !== keyId) return false
  try {
    const key = await crypto.subtle.importKey('raw', raw, { name: 'Ed25519' }, false, ['verify'])
    const data = new TextEncoder().encode(text)
    return await crypto.subtle.verify('Ed25519', key, fromBase64(signature), data)
  } catch {
    // The browser does not support this signature; digests are still verified.
    return null
  }
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
}

function place(id: string): HTMLElement {
  const element = document.getElementById(id)
  if (!element) throw new Error(`the page has no ${id}`)
  return element
}

function show(state: 'busy' | 'good' | 'bad', title: string, lines: readonly string[]): void {
  document.documentElement.dataset.state = state
  status.textContent = title
  list.replaceChildren(
    ...lines.map((line) => Object.assign(document.createElement('li'), { textContent: line })),
  )
}
