import { createContext, useContext } from 'react'

// Stands in for `next/navigation` in pages without a server (lib/setup/pages/make-pages.mjs).

/** The address of the page in the app. */
export const PathContext = createContext('/')

export function usePathname(): string {
  return useContext(PathContext)
}

export function useRouter() {
  return { refresh: () => {}, replace: () => {} }
}
