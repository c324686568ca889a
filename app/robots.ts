import type { MetadataRoute } from 'next'

/** Allows crawlers on public pages, and excludes the admin pages. */
export default function robots(): MetadataRoute.Robots {
  return { rules: { userAgent: '*', allow: '/', disallow: '/admin' } }
}
