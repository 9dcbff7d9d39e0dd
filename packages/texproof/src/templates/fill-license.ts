/** The values that a license text contains. */
export interface LicenseDetails {
  readonly year: number
  readonly fullName: string
  readonly email: string
  readonly project: string
  /** URL of the project's page. */
  readonly projectUrl: string
}

/** Fills in the placeholders of a license text. */
export function fillLicense(text: string, details: LicenseDetails): string {
  const values: Readonly<Record<string, string>> = {
    year: String(details.year),
    fullname: details.fullName,
    email: details.email,
    project: details.project,
    projecturl: details.projectUrl,
  }
  return text.replaceAll(
    /\[(year|fullname|email|project|projecturl)\]/g,
    (place, name: string) => values[name] ?? place,
  )
}
