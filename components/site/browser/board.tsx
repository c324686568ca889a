// Makes the board of a page work: search, order, filters and charts, from the data in the page.
import { NuqsAdapter } from 'nuqs/adapters/react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { pageFile } from '../addresses.ts'
import { BoardApp } from '../board-app.tsx'

const { base = './' } = document.currentScript?.dataset ?? {}

function start(): void {
  const root = document.getElementById('board')
  const data = document.getElementById('data')?.textContent
  if (!root || !data) return
  const app = (
    <NuqsAdapter>
      <BoardApp {...JSON.parse(data)} />
    </NuqsAdapter>
  )
  // A page is drawn without the state of an address.
  if (location.search === '') hydrateRoot(root, app)
  else createRoot(root).render(app)
  window.addEventListener('click', followLink, true)
}

/** Links that React draws here name addresses of the app. */
function followLink(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  const address = link?.getAttribute('href') ?? ''
  if (!link || !address.startsWith('/')) return
  const page = pageFile(address)
  if (page) link.href = `${base}${page.file}${page.rest}`
  else event.preventDefault()
}

start()
