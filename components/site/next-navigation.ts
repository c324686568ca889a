import { createContext, useContext, useMemo } from 'react'

// Replaces `next/navigation` in pages without a server (lib/setup/pages/make-pages.mjs).

/** Path of the page in the app. */
export const PathContext = createContext('/')

export function usePathname(): string {
  return useContext(PathContext)
}

/** Query parameters of the address for which the page was rendered. */
export function useSearchParams(): URLSearchParams {
  return useMemo(() => new URLSearchParams(globalThis.location?.search), [])
}

export function useRouter() {
  return { refresh: () => {}, replace: () => {} }
}
