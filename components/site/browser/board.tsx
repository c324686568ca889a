// Starts the board of a page: search, order, filters and charts, from the data in the page.
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
  // The page was rendered without query parameters, so it can be hydrated only without them.
  if (location.search === '') hydrateRoot(root, app)
  else createRoot(root).render(app)
  window.addEventListener('click', followLink, true)
}

/** Links that React renders in the browser contain addresses of the app. */
function followLink(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  const address = link?.getAttribute('href') ?? ''
  if (!link || !address.startsWith('/')) return
  const page = pageFile(address)
  if (page) link.href = `${base}${page.file}${page.rest}`
  else event.preventDefault()
}

start()
