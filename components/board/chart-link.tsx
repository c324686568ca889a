'use client'

import { useQueryStates } from 'nuqs'
import { createContext, type MouseEvent, type ReactNode, useCallback, useContext } from 'react'
import { useAskServer } from '../ui/ask-server.tsx'
import { isPlainClick } from '../ui/behaviour/plain-click.ts'
import { type BoardView, boardViewParsers } from './board-view.ts'

/** View state that affects only the charts. */
export type ChartChange = Partial<Pick<BoardView, 'chart' | 'band' | 'scale' | 'entries'>>

type ChartLinkProps = {
  change: ChartChange
  /** URL of the complete view, for pages without scripts and new tabs. */
  href: string
  isCurrent: boolean
  children: ReactNode
}

const Change = createContext<(change: ChartChange) => void>(() => {})

/** Provides the view to all links inside: reading the URL in each of them would be slow. */
export function ChartLinks({ children }: { children: ReactNode }) {
  const [, setView] = useQueryStates(boardViewParsers, { history: 'push', scroll: false })
  const { refresh } = useAskServer()
  const change = useCallback(
    (next: ChartChange) => void setView(next).then(refresh),
    [setView, refresh],
  )
  return <Change value={change}>{children}</Change>
}

/** Changes the charts and keeps the rest of the current URL, because the table sorts without a request. */
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
