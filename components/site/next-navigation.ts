import { createContext, useContext, useMemo } from 'react'

// Stands in for `next/navigation` in pages without a server (lib/setup/pages/make-pages.mjs).

/** The address of the page in the app. */
export const PathContext = createContext('/')

export function usePathname(): string {
  return useContext(PathContext)
}

/** The state of the address when the page was drawn. */
export function useSearchParams(): URLSearchParams {
  return useMemo(() => new URLSearchParams(globalThis.location?.search), [])
}

export function useRouter() {
  return { refresh: () => {}, replace: () => {} }
}
