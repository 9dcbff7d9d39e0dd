/** What a licence says about the work it covers. */
export interface LicenseDetails {
  readonly year: number
  readonly fullName: string
  readonly email: string
  readonly project: string
  /** Address of the project's page. */
  readonly projectUrl: string
}

/** Puts the particulars of a work into the places that a licence text leaves for them. */
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
