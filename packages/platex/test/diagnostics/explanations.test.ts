import { explainedClasses } from './explained/classes.ts'
import { explainedEncodings } from './explained/encodings.ts'
import { explainedEntries } from './explained/entries.ts'
import { explainedEveryday } from './explained/everyday.ts'
import { explainedFiles } from './explained/files.ts'
import { explainedFormulas } from './explained/formulas.ts'
import { explainedFrames } from './explained/frames.ts'
import { explainedLate } from './explained/late.ts'
import { explainedLoading } from './explained/loading.ts'
import { explainedMixups } from './explained/mixups.ts'
import { explainedNeighbors } from './explained/neighbors.ts'
import { explainedOptions } from './explained/options.ts'
import { explainedPackageSlips } from './explained/package-slips.ts'
import { explainedPackages } from './explained/packages.ts'
import { explainedPapers } from './explained/papers.ts'
import { explainedPictures } from './explained/pictures.ts'
import { explainedProgramming } from './explained/programming.ts'
import { explainedSlips } from './explained/slips.ts'
import { explainedStudents } from './explained/students.ts'
import { explainedTheses } from './explained/theses.ts'
import { testExplanations } from './test-explanations.ts'

testExplanations([
  ...explainedClasses,
  ...explainedEncodings,
  ...explainedEntries,
  ...explainedEveryday,
  ...explainedFiles,
  ...explainedFormulas,
  ...explainedFrames,
  ...explainedLate,
  ...explainedLoading,
  ...explainedMixups,
  ...explainedNeighbors,
  ...explainedOptions,
  ...explainedPackageSlips,
  ...explainedPackages,
  ...explainedPapers,
  ...explainedPictures,
  ...explainedProgramming,
  ...explainedSlips,
  ...explainedStudents,
  ...explainedTheses,
])
