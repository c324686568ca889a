'use client'

import { Moon, Sun } from 'lucide-react'
import { useTheme } from 'next-themes'
import { Button } from '#components/ui/button.tsx'

/** Turns light into dark and back; until it is used the system decides. */
export function ThemeSwitch() {
  const { resolvedTheme, setTheme } = useTheme()
  return (
    <Button
      aria-label="Switch between light and dark"
      className="w-8 px-0"
      onClick={() => setTheme(resolvedTheme === 'dark' ? 'light' : 'dark')}
      title="Switch between light and dark"
      tone="quiet"
    >
      <Sun aria-hidden className="hidden dark:block" size={16} />
      <Moon aria-hidden className="dark:hidden" size={16} />
    </Button>
  )
}
