// Script in the head of every page (`SiteScript` in ../site.tsx), for what has to run before the first paint and before
// hydration.
import { noteEarlyClicks } from './early-clicks.ts'
import { restoreScroll } from './keep-scroll.ts'
import { showCurrentLinks } from './show-current.ts'
import { startTheme } from './theme.ts'

startTheme()
restoreScroll()
showCurrentLinks()
noteEarlyClicks()
