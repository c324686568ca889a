'use client'

import { useQueryStates } from 'nuqs'
import { createContext, type MouseEvent, type ReactNode, useCallback, useContext } from 'react'
import { useAskServer } from '../ui/ask-server.tsx'
import { isPlainClick } from '../ui/behaviour/plain-click.ts'
import { type BoardView, boardViewParsers } from './board-view.ts'

/** What the charts alone depend on. */
export type ChartChange = Partial<Pick<BoardView, 'chart' | 'band' | 'scale' | 'entries'>>

type ChartLinkProps = {
  change: ChartChange
  /** The whole view as the server knows it: followed without scripts, and in a new tab. */
  href: string
  isCurrent: boolean
  children: ReactNode
}

const Change = createContext<(change: ChartChange) => void>(() => {})

/** Holds the view for all links inside of it: to read it in each of them takes a page as long as a table. */
export function ChartLinks({ children }: { children: ReactNode }) {
  const [, setView] = useQueryStates(boardViewParsers, { history: 'push', scroll: false })
  const { refresh } = useAskServer()
  const change = useCallback(
    (next: ChartChange) => void setView(next).then(refresh),
    [setView, refresh],
  )
  return <Change value={change}>{children}</Change>
}

/** Changes the charts and leaves the rest of the address as it is now: the table sorts without asking the server. */
export function ChartLink({ change, href, isCurrent, children }: ChartLinkProps) {
  const apply = useContext(Change)
  const follow = (event: MouseEvent) => {
    if (!isPlainClick(event)) return
    event.preventDefault()
    apply(change)
  }
  return (
    <a
      aria-current={isCurrent ? 'true' : undefined}
      className="untrusted rounded px-2 py-1 text-muted hover:text-ink aria-[current=true]:bg-sunken aria-[current=true]:text-ink"
      href={href}
      onClick={follow}
      data-keep-scroll
    >
      {children}
    </a>
  )
}
