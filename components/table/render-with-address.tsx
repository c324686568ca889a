import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'

/** Returns the markup of what reads the address of its page, for tests. */
export function renderWithAddress(node: ReactNode, searchParams = ''): string {
  return renderToStaticMarkup(
    <NuqsTestingAdapter searchParams={searchParams}>{node}</NuqsTestingAdapter>,
  )
}
