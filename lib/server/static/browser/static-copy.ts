// First script of every page of a static copy: what the pages' own scripts ask a server for is answered by files.
import { canonicalAddress, fragmentOf } from '../canonical-address.ts'
import { answerFromFiles } from './answer-from-files.ts'

const own = document.currentScript
const base = own?.dataset.base ?? './'
const address = own?.dataset.address ?? '/'
const ownPath = address.split('?')[0] ?? '/'
const top = new URL(base, location.href)
const savedFetch = window.fetch

/** Where the scripts of the pages find each other (Turbopack's own name). */
Object.assign(globalThis, { TURBOPACK_CHUNK_BASE_PATH: `${base}_next/` })
showState()
answerRequests()
followLinks()

/** The state that a page was made for belongs into its address, where the page's scripts read it. */
function showState(): void {
  const query = address.includes('?') ? address.slice(address.indexOf('?')) : ''
  if (query === '' || location.search !== '') return
  try {
    history.replaceState(null, '', `${location.pathname}${query}${location.hash}`)
  } catch {
    // A file of one's own disk may not be renamed; the page shows what it was made for all the same.
  }
}

let addresses: Promise<Record<string, string>> | null = null

/** Every address with its file, read at first use. */
function book(): Promise<Record<string, string>> {
  addresses ??= nativeFetch(new URL('addresses.json', top)).then((answer) => answer.json())
  return addresses
}

/** The file of an address of the site; null = it is not in this copy. */
async function find(href: string): Promise<string | null> {
  const wanted = canonicalAddress(href, address, [location.origin])
  if (wanted === null) return null
  const file = (await book().catch(() => null))?.[wanted]
  return file === undefined ? null : new URL(file, top).href
}

function leave(href: string): void {
  void find(href).then((file) => {
    const path = new URL(href, 'http://site.invalid').pathname
    location.assign(
      file ? `${file}${fragmentOf(href)}` : new URL(`not-here/index.html#${path}`, top).href,
    )
  })
}

/** Another state of this page: its own file where there is one; scripts of the page do the rest by themselves. */
function changeState(search: string): void {
  void find(ownPath + search).then((file) => {
    const here = location.pathname.replace(/\/$/, '/index.html')
    if (file !== null && new URL(file).pathname !== here) location.assign(file)
  })
}

function nativeFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  return savedFetch.call(window, input, init)
}

/** Reads of the API are answered by files; what would load another page loads its file; the rest has no answer. */
function answerRequests(): void {
  window.fetch = (input, init) => {
    const request = new Request(input, init)
    const { pathname, search, origin } = new URL(request.url)
    const isOther = origin !== location.origin || pathname.startsWith(`${top.pathname}_next/`)
    if (isOther) return nativeFetch(input, init)
    if (!request.headers.has('rsc')) return answer(pathname + search)
    if (pathname === location.pathname) changeState(search)
    else if (!request.headers.has('next-router-prefetch')) leave(pathname + search)
    return new Promise(() => {})
  }
  // Nothing moves in a copy: who listens hears nothing.
  window.EventSource = class extends EventTarget {
    readyState = 0
    close() {}
  } as unknown as typeof EventSource
}

async function answer(asked: string): Promise<Response> {
  const found = await answerFromFiles(asked, async (part) => {
    const file = await find(part)
    return file === null ? null : nativeFetch(file)
  })
  return found ?? new Response('This is a static copy.', { status: 404 })
}

/** Links that scripts drew name addresses of the server; forms ask it. Both lead to files instead. */
function followLinks(): void {
  window.addEventListener('click', followLink, true)
  window.addEventListener('submit', followForm, true)
  // Also in a new tab, and for who reads the status line.
  const fix = (event: Event) => {
    const link = (event.target as Element | null)?.closest?.('a[href^="/"]')
    if (link)
      void find(link.getAttribute('href') ?? '').then(
        (file) => file && link.setAttribute('href', file),
      )
  }
  window.addEventListener('pointerover', fix, true)
  window.addEventListener('focusin', fix, true)
}

function followLink(event: MouseEvent): void {
  const link = (event.target as Element | null)?.closest?.('a')
  const href = link?.getAttribute('href') ?? ''
  if (href === '' || href.startsWith('#')) return
  // Before the page's router hears of it.
  event.stopPropagation()
  const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey)
  if (!href.startsWith('/') || !isPlain) return
  event.preventDefault()
  leave(href)
}

function followForm(event: SubmitEvent): void {
  const form = event.target as HTMLFormElement
  if (form.method !== 'get') return
  event.stopPropagation()
  event.preventDefault()
  const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)])
  leave(`${addressOf(form.getAttribute('action') ?? '')}?${new URLSearchParams(fields)}`)
}

/** A form's file is the page without its state. */
function addressOf(action: string): string {
  const path = new URL(action, location.href).pathname.slice(top.pathname.length - 1)
  return path.replace(/\/index\.html$/, '') || '/'
}
