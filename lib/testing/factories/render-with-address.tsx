import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'

/** Renders a component that reads the URL, for tests. */
export function renderWithAddress(node: ReactNode, searchParams = ''): string {
  return renderToStaticMarkup(
    <NuqsTestingAdapter searchParams={searchParams}>{node}</NuqsTestingAdapter>,
  )
}
