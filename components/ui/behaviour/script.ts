// The script in the head of every page (`SiteScript` in ../site.tsx): what has to happen before the first paint, and before
// React has taken over the page.
import { noteEarlyClicks } from './early-clicks.ts'
import { restoreScroll } from './keep-scroll.ts'
import { showCurrentLinks } from './show-current.ts'
import { startTheme } from './theme.ts'

startTheme()
restoreScroll()
showCurrentLinks()
noteEarlyClicks()
