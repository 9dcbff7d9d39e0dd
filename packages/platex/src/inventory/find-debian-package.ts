/**
 * Which Debian package brings which package of TeX Live, by its name on CTAN. TeX Live cuts its collections alike every
 * year and Debian follows them, so that a table of one release serves for those around it.
 *
 * Source: the descriptions of the packages of Debian 12 (TeX Live 2022).
 */
const COLLECTIONS: Readonly<Record<string, string>> = {
  'texlive-base': `
    amsfonts bibtex cm colorprofiles dvipdfmx dvips ec enctex etex etex-pkg glyphlist graphics-def hyph-utf8
    hyphen-base hyphenex ifplatform iftex knuth-lib knuth-local kpathsea lua-alt-getopt luahbtex luatex makeindex
    metafont mflogo mfware modes pdftex plain tex tex-ini-files texdoc texdoctk texlive-common texlive-en
    texlive-msg-translations texlive-scripts texlive.infra unicode-data xdvi
  `,
  'texlive-fonts-recommended': `
    avantgar bookman charter cmextra courier euro euro-ce eurosym fpl helvetic manfnt-font marvosym mathpazo
    mflogo-font ncntrsbk palatino pxfonts rsfs symbol times txfonts utopia wasy wasy-type1 wasysym zapfchan zapfding
  `,
  'texlive-latex-base': `
    ae amscls amsmath atbegshi atveryend auxhook babel babel-english babelbib bigintcalc bitset bookmark carlisle
    colortbl epstopdf-pkg etexcmds fancyhdr firstaid fix2col geometry gettitlestring graphics graphics-cfg grfext
    hopatch hycolor hypdoc hyperref infwarerr intcalc kvdefinekeys kvoptions kvsetkeys l3backend l3kernel l3packages
    latex latex-bin latex-fonts latex-lab latexconfig letltxmacro ltxcmds ltxmisc mfnfss mptopdf natbib oberdiek
    pagesel pdfescape pdftexcmds pslatex psnfss pspicture refcount rerunfilecheck stringenc tools uniquecounter url
  `,
  'texlive-latex-recommended': `
    anysize attachfile2 beamer booktabs breqn caption cite cmap crop ctable eso-pic etoolbox euenc euler everysel
    everyshi extsizes fancybox fancyref fancyvrb filehook float fontspec footnotehyper fp grffile hologo index
    jknapltx koma-script l3experimental latexbug lineno listings lwarp mathspec mathtools mdwtools memoir metalogo
    microtype ms newfloat ntgclass parskip pdfcolfoot pdflscape pdfmanagement-testphase pdfpages polyglossia psfrag
    ragged2e rcs sansmath section seminar sepnum setspace subfig textcase thumbpdf translator typehtml ucharcat
    underscore unicode-math xcolor xkeyval xltxtra xunicode
  `,
  'texlive-luatex': `
    addliga auto-pst-pdf-lua barracuda bezierplot blopentype checkcites chickenize chinese-jfm cloze combofont
    cstypo ctablestack ekdosis emoji emojicite enigma innerscript interpreter kanaparser ligtype linebreaker
    lt3luabridge lua-typo lua-uca lua-ul lua-uni-algos lua-visual-debug lua-widow-control luaaddplot luacas
    luacensor luacode luacolor luacomplex luagcd luahyphenrules luaimageembed luaindex luainputenc luaintro luakeys
    lualatex-doc lualatex-math lualatex-truncate lualibs luamathalign luamaths luamodulartables luamplib luaoptions
    luaotfload luapackageloader luaprogtable luaquotes luarandom luaset luatex85 luatexbase luatexko luatextra
    luatruthtable luavlna luaxml lutabulartools minim minim-math minim-mp minim-pdf minim-xmp newpax nodetree
    odsfile optex pdfarticle pdfextra penlight piton placeat plantuml pyluatex scikgtex selnolig showhyphenation
    showkerning spacekern spelling stricttex truthtable tsvtemplate typewriter uninormalize yamlvars
  `,
  'texlive-metapost': `
    automata bbcard blockdraw_mp bpolynomial cmarrows drv dviincl emp epsincl expressg exteps featpost feynmp-auto
    fiziko garrigues gmp hatching hershey-mp latexmp mcf2graph metago metaobj metaplot metapost metapost-colorbrewer
    metauml mfpic mfpic4ode minim-hatching mp3d mparrows mpattern mpcolornames mpgraphics mptrees piechartmp repere
    roex roundrect shapes slideshow splines suanpan textpath threeddice
  `,
  'texlive-pictures': `
    adigraph aobs-tikz askmaps asyfig asypictureb autoarea bardiag beamerswitch binarytree blochsphere bloques blox
    bodegraph bondgraph bondgraphs braids bxeepic byo-twemojis byrne cachepic callouts celtic chemfig circuit-macros
    circuitikz coffeestains combinedgraphics curve curve2e curves dcpic diagmac2 ditaa doc-pictex dot2texi dottex
    dpcircling dratex drs duotenzor dynkin-diagrams ecgdraw eepic ellipse endofproofwd epspdf epspdfconversion esk
    euflag fast-diagram fig4latex figchild figput fitbox flowchart forest genealogytree getmap gincltex gnuplottex
    gradientframe grafcet graph35 graphicxpsd graphviz gtrlib-largetrees harveyballs here hf-tikz hobby hvfloat
    istgame kblocks kinematikz knitting knittingpattern ladder lapdf latex-make liftarm lpic lroundrect luamesh
    luasseq maker makeshape mathspic mercatormap milsymb miniplot mkpic modiagram neuralnetwork nl-interval nndraw
    numericplots pb-diagram penrose petri-nets pgf pgf-blur pgf-interference pgf-periodictable pgf-pie pgf-soroban
    pgf-spectra pgf-umlcd pgf-umlsd pgfgantt pgfkeyx pgfmolbio pgfmorepages pgfopts pgfornament pgfplots picinpar
    pict2e pictex pictex2 pinlabel pixelart pmgraph postage prerex productbox ptolemaicastronomy puyotikz pxpgfmark
    pxpic qcircuit qrcode quantikz randbild randomwalk realhats reotex robotarm rviewport sa-tikz schemabloc scratch
    scratch3 scsnowman setdeck signchart simplenodes simpleoptics smartdiagram spath3 spectralsequences strands
    swimgraf syntaxdi table-fct texdraw ticollege tikz-3dplot tikz-among-us tikz-bagua tikz-bayesnet tikz-bbox
    tikz-cd tikz-dependency tikz-dimline tikz-ext tikz-feynhand tikz-feynman tikz-imagelabels tikz-inet
    tikz-kalender tikz-karnaugh tikz-ladder tikz-lake-fig tikz-layers tikz-mirror-lens tikz-nef tikz-network
    tikz-opm tikz-optics tikz-page tikz-palattice tikz-planets tikz-qtree tikz-relay tikz-sfc tikz-swigs tikz-timing
    tikz-trackschematic tikz-truchet tikzbricks tikzcodeblocks tikzducks tikzfill tikzinclude tikzlings tikzmark
    tikzmarmots tikzorbital tikzpackets tikzpagenodes tikzpeople tikzpfeile tikzpingus tikzposter tikzscale
    tikzsymbols tikztosvg tile-graphic timing-diagrams tipfr tkz-base tkz-berge tkz-doc tkz-euclide tkz-fct
    tkz-graph tkz-orm tkz-tab tkzexample tonevalue tqft tsemlines tufte-latex twemojis tzplot utfsym venndiagram
    visualpstricks wheelchart worldflags xistercian xpicture xput xypic
  `,
  'texlive-xetex': `
    arabxetex awesomebox bidi-atbegshi bidicontour bidipagegrid bidipresentation bidishadowtext businesscard-qrcode
    cqubeamer fixlatvian font-change-xetex fontbook fontwrap interchar na-position philokalia ptext realscripts
    simple-resume-cv simple-thesis-dissertation tetragonos ucharclasses unicode-bidi unimath-plain-xetex unisugar
    xebaposter xechangebar xecolor xecyr xeindex xesearch xespotcolor xetex xetex-itrans xetex-pstricks
    xetex-tibetan xetexconfig xetexfontinfo xetexko xevlna zbmath-review-template
  `,
  'texlive-bibtex-extra': `
    aaai-named aichej ajl amsrefs annotate apacite apalike-ejor apalike2 archaeologie authordate beebe besjournals
    bestpapers bib2gls bibarts bibcop biber-ms bibexport bibhtml biblatex biblatex-abnt biblatex-ajc2020unofficial
    biblatex-anonymous biblatex-apa biblatex-apa6 biblatex-archaeology biblatex-arthistory-bonn biblatex-bath
    biblatex-bookinarticle biblatex-bookinother biblatex-bwl biblatex-caspervector biblatex-chem biblatex-chicago
    biblatex-claves biblatex-cv biblatex-dw biblatex-enc biblatex-ext biblatex-fiwi biblatex-gb7714-2015
    biblatex-german-legal biblatex-gost biblatex-historian biblatex-ieee biblatex-ijsra biblatex-iso690
    biblatex-jura2 biblatex-juradiss biblatex-license biblatex-lncs biblatex-lni biblatex-luh-ipw
    biblatex-manuscripts-philology biblatex-mla biblatex-morenames biblatex-ms biblatex-multiple-dm biblatex-musuos
    biblatex-nature biblatex-nejm biblatex-nottsclassic biblatex-opcit-booktitle biblatex-oxref biblatex-philosophy
    biblatex-phys biblatex-publist biblatex-readbbl biblatex-realauthor biblatex-sbl biblatex-science
    biblatex-shortfields biblatex-socialscienceshuberlin biblatex-software biblatex-source-division biblatex-spbasic
    biblatex-subseries biblatex-swiss-legal biblatex-trad biblatex-true-citepages-omit biblatex-unified
    biblatex-vancouver biblatex2bibitem biblist bibtexperllibs bibtopic bibtopicprefix bibunits biolett-bst bookdb
    breakcites cell chbibref chembst chicago chicago-annote chicagoa chscite citation-style-language citeall citeref
    collref compactbib crossrefware custom-bib din1505 dk-bib doipubmed ecobiblatex econ-bst economic fbs figbib
    footbib francais-bst gbt7714 geschichtsfrkl harvard harvmac hep-bibliography historische-zeitschrift icite
    ietfbibs ijqc inlinebib iopart-num is-bst jbact jmb jneurosci jurabib ksfh_nat listbib logreq ltb2bib
    luabibentry margbib multibib multibibliography munich nar newcastle-bst nmbib notes2bib notex-bst oscola
    perception plainyr pnas2009 rsc showtags sort-by-letters splitbib turabian-formatting uni-wtal-ger uni-wtal-lin
    urlbst usebib vak windycity xcite zootaxa-bst
  `,
  'texlive-extra-utils': `
    a2ping adhocfilelist arara bibtex8 bibtexu bundledoc checklistings chklref clojure-pamphlet cluttex ctan-o-mat
    ctan_chk ctanbib ctanify ctanupload ctie cweb de-macro detex digestif dtl dtxgen dvi2tty dviasm dvicopy dviinfox
    dviljk dvipos dvisvgm findhyph git-latexdiff gsftopk hook-pre-commit-pkg installfont ketcindy latex-git-log
    latex-papersize latex2man latex2nemeth latexfileversion latexindent latexpand light-latex-make listings-ext
    ltxfileinfo ltximg luajittex make4ht match_parens mflua mkjobtexmf optexcount patgen pdfbook2 pdfcrop pdfjam
    pdflatexpicscale pdftex-quiet pdftosrc pdfxup pfarrei pkfix pkfix-helper pythontex seetexk spix srcredact
    sty2dtx synctex tex4ebook texaccents texcount texdef texdiff texdirflatten texfot texlive-scripts-extra
    texliveonfly texloganalyser texlogfilter texlogsieve texosquery texplate texware tie tpic2pdftex typeoutfileinfo
    web xindex xpdfopen
  `,
  'texlive-font-utils': `
    accfonts afm2pl albatross dosepsbin dvipsconfig epstopdf fontinst fontools fontware luafindfont metatype1 mf2pt1
    ps2eps ps2pk ttfutils
  `,
  'texlive-fonts-extra': `
    aboensis academicons accanthis adforn adfsymbols aesupp alegreya alfaslabone algolrevived allrunes almendra
    almfixed andika anonymouspro antiqua antt archaic archivo arev arimo arvo asana-math asapsym ascii-font
    aspectratio astro atkinson augie auncial-new aurical b1encoding barcodes baskervald baskervaldx baskervillef
    bbding bbm bbm-macros bbold bbold-type1 bboldx belleek bera berenisadf beuron bguq bitter blacklettert1 boisik
    bookhands boondox braille brushscr cabin caladea calligra calligra-type1 cantarell carlito carolmin-ps
    cascadia-code ccicons cfr-initials cfr-lm charissil cherokee chivo cinzel clara clearsans cm-lgc
    cm-mf-extra-bold cm-unicode cmathbb cmbright cmexb cmll cmpica cmsrb cmtiup cmupint cochineal coelacanth
    comfortaa comicneue concmath-fonts concmath-otf cookingsymbols cooperhewitt cormorantgaramond countriesofeurope
    courier-scaled courierten crimson crimsonpro cryst cuprum cyklop dancers dantelogo dejavu dejavu-otf dice
    dictsym dingbat domitian doublestroke doulossil dozenal drm droid dsserif duerer duerer-latex dutchcal ean
    ebgaramond ebgaramond-maths ecc eco eczar eiad eiad-ltx ektype-tanka electrum elvish epigrafica epsdice erewhon
    erewhon-math esrelation esstix esvect etbb euler-math eulervm euxm fbb fdsymbol fetamont feyn fge fira firamath
    firamath-otf foekfont fonetika fontawesome fontawesome5 fontmfizz fonts-churchslavonic forum fourier fouriernc
    frcursive frederika2016 frimurer garamond-libre garamond-math genealogy gentium-tug gfsartemisia gfsbodoni
    gfscomplutum gfsdidot gfsdidotclassic gfsneohellenic gfsneohellenicmath gfssolomos gillcm gillius gnu-freefont
    gofonts gothic greenpoint grotesq gudea hacm hamnosys hands hep-font hep-math-font heros-otf heuristica hfbright
    hfoldsty hindmadurai ibarra ifsym imfellenglish inconsolata initials inriafonts inter ipaex-type1 iwona
    jablantile jamtimes josefin junicode kixfont kpfonts kpfonts-otf kurier lato lexend lfb libertine libertinegc
    libertinus libertinus-fonts libertinus-otf libertinus-type1 libertinust1math librebaskerville librebodoni
    librecaslon librefranklin libris lineara linguisticspro lobster2 logix lxfonts ly1 magra marcellus mathabx
    mathabx-type1 mathdesign mdputu mdsymbol merriweather miama mintspirit missaali mlmodern mnsymbol montserrat
    mpfonts mweights newcomputermodern newpx newtx newtxsf newtxtt niceframe-type1 nimbus15 nkarta noto noto-emoji
    notomath nunito obnov ocherokee ocr-b ocr-b-outline ogham oinuit old-arrows oldlatin oldstandard opensans orkhun
    oswald overlock pacioli pagella-otf paratype phaistos phonetic pigpen playfair plex plex-otf plimsoll poiretone
    poltawski prodint punk punk-latex punknova pxtxalfa qualitype quattrocento raleway recycle roboto romande
    rosario rsfso sansmathaccent sansmathfonts sauter sauterfonts schola-otf scholax schulschriften semaphor
    shobhika simpleicons skull sourcecodepro sourcesanspro sourceserifpro spectral srbtiks starfont staves step
    stepgreek stickstoo stix stix2-otf stix2-type1 superiors svrsymbols symbats3 tapir tempora tengwarscript
    termes-otf tfrupee theanodidot theanomodern theanooldstyle tinos tpslifonts trajan twemoji-colr txfontsb
    txuprcal typicons umtypewriter universa universalis uppunctlm urwchancal venturisadf wsuipa xcharter
    xcharter-math xits yfonts yfonts-otf yfonts-t1 yinit-otf zlmtt
  `,
  'texlive-formats-extra': `
    aleph antomega edmac eplain hitex jadetex lambda lollipop mltex mxedruli omega omegaware otibet passivetex
    psizzl startex texsis xmltex xmltexconfig
  `,
  'texlive-games': `
    bartel-chess-fonts chess chess-problem-diagrams chessboard chessfss chinesechess crossword crosswrd customdice
    egameps gamebook gamebooklib go hanoi havannah hexboard hexgame hmtrump horoscop jeuxcartes jigsaw labyrinth
    logicpuzzle mahjong maze musikui nimsticks onedown othello othelloboard pas-crosswords psgo realtranspose
    reverxii rubik schwalbe-chess scrabble sgame skak skaknew soup sudoku sudokubundle wargame xq xskak
  `,
  'texlive-humanities': `
    adtrees bibleref bibleref-lds bibleref-mouth bibleref-parse covington diadia dramatist dvgloss ecltree edfnotes
    eledform eledmac expex gb4e gmverse jura juraabbrev juramisc jurarsp langnames ledmac lexikon lexref ling-macros
    linguex liturg metrix nnext parallel parrun phonrule plari play poemscol poetry poetrytex qobitree qtree
    reledmac rrgtrees rtklage screenplay screenplay-pkg sides stage textglos thalie theatre tree-dvips verse xyling
  `,
  'texlive-latex-extra': `
    2up a0poster a4wide a5comb abraces abspos abstract accessibility accsupp achemso acro acronym acroterm
    actuarialangle actuarialsymbol addfont addlines adjmulticol adjustbox adrconv advdate akktex akletter
    alertmessage alnumsec alphalph alterqcm altfont altsubsup amsaddr animate anonchap answers anyfontsize appendix
    appendixnumberbeamer apptools arabicfront arcs arraycols arrayjobx arraysort arydshln asciilist askinclude
    assignment assoccnt association-matrix atenddvi atendofenv attachfile aurl authoraftertitle authorarchive
    authorindex autofancyhdr autonum autopdf autopuncitems avremu axessibility background bankstatement bashful
    basicarith bchart beamer-rl beamer2thesis beamerappendixnote beameraudience beamerauxtheme beamercolorthemeowl
    beamerdarkthemes beamerposter beamersubframe beamertheme-arguelles beamertheme-cuerna beamertheme-detlevcm
    beamertheme-epyt beamertheme-focus beamertheme-light beamertheme-metropolis beamertheme-npbt
    beamertheme-phnompenh beamertheme-pure-minimalistic beamertheme-saintpetersburg beamertheme-simpledarkblue
    beamertheme-simpleplus beamertheme-tcolorbox beamertheme-trigon beamertheme-upenn-bc beamerthemeamurmaple
    beamerthemejltree beamerthemelalic beamerthemenirma beamerthemenord bearwear beaulivre beton bewerbung bez123
    bhcexam bibletext bigfoot bigints bilingualpages biochemistry-colors bithesis bizcard blindtext blkarray block
    blowup bnumexpr boites bold-extra book-of-common-prayer bookcover bookest booklet bookshelf boolexpr bophook
    boxedminipage boxhandler bracketkey braket breakurl bubblesort bullcntr bxcalc bxdpx-beamer bxdvidriver
    bxenclose bxnewfont bxpapersize bxpdfver bxtexlogo calcage calctab calculator calrsfs cals calxxxx-yyyy cancel
    canoniclayout capt-of captcont captdef carbohydrates cases casyl catchfile catchfilebetweentags catechis
    catoptions cbcoptic ccaption cclicenses cd cd-cover cdcmd cdpbundl cellprops cellspace censor centeredline
    centerlastline changebar changelayout changelog changepage changes chappg chapterfolder cheatsheet checkend chet
    chextras childdoc chkfloat chletter chngcntr chronology circ circledsteps circledtext classics classpack clefval
    cleveref clicks clipboard clistmap clock clrdblpg clrstrip cmdstring cmdtrack cmsd cnltx cntformats cntperchap
    codebox codedoc codehigh codepage codesection collcell collectbox colophon color-edits colordoc colorframed
    colorinfo coloring colorist colorspace colortab colorwav colorweb colourchange combelow combine comma commado
    commedit comment commonunicode competences concepts concprog conditext constants continue contour contracard
    conv-xkv cooking cooking-units cool coolfn coollist coolstr coolthms cooltooltips coop-writing coordsys copyedit
    copyrightbox coseoul counttexruns courseoutline coursepaper coverpage cprotect cprotectinside crbox
    create-theorem crefthe crossreference crossreftools crumbs csquotes css-colors csvmerge csvsimple cuisine
    currency currfile currvita cutwin cv cv4tw cweb-latex cyber cybercic darkmode dashbox dashrule dashundergaps
    dataref datatool datax dateiliste datenumber datestamp datetime datetime2 datetime2-bahasai datetime2-basque
    datetime2-breton datetime2-bulgarian datetime2-catalan datetime2-croatian datetime2-czech datetime2-danish
    datetime2-dutch datetime2-en-fulltext datetime2-english datetime2-esperanto datetime2-estonian datetime2-finnish
    datetime2-french datetime2-galician datetime2-german datetime2-greek datetime2-hebrew datetime2-icelandic
    datetime2-irish datetime2-it-fulltext datetime2-italian datetime2-latin datetime2-lsorbian datetime2-magyar
    datetime2-norsk datetime2-polish datetime2-portuges datetime2-romanian datetime2-russian datetime2-samin
    datetime2-scottish datetime2-serbian datetime2-slovak datetime2-slovene datetime2-spanish datetime2-swedish
    datetime2-turkish datetime2-ukrainian datetime2-usorbian datetime2-welsh dblfloatfix dbshow debate decimal
    decorule delimtxt democodetools denisbdoc diabetes-logbook diagbox diagnose dialogl dichokey dimnum dinbrief
    directory dirtytalk dlfltxb dnaseq doclicense docmfp docmute docshots doctools documentation docutils doi
    dotarrow dotlessi dotseqn download dox dpfloat dprogress drac draftcopy draftfigure draftwatermark dtk
    dtxdescribe dtxgallery ducksay duckuments dvdcoll dynamicnumber dynblocks ean13isbn easy easy-todo easybook
    easyfig easyfloats easyformat easylist easyreview ebezier ecclesiastic econlipsum ecv ed edichokey edmargin
    eemeir efbox egplot ehhline einfart elements ellipsis elmath elocalloc elpres elzcards emarks embedall embedfile
    embrac emptypage emulateapj endfloat endheads endnotes endnotes-hy engpron engrec enotez enumitem enumitem-zref
    envbig environ envlab epigraph epigraph-keys epiolmec eq-pin2corr eqell eqlist eqnalign eqname eqparbox errata
    erw-l3 esami esdiff esieecv esindex esint esint-type1 etaremune etextools etl etoc eukdate eulerpx europasscv
    europecv everyhook everypage exam exam-n exam-randomizechoices examdesign example examplep exceltex excludeonly
    exercise exercisebank exercisepoints exercises exesheet exframe exp-testopt expdlist export exsheets exsol
    extract facsimile factura familytree fancyhandout fancylabel fancynum fancypar fancyqr fancyslides fancytabs
    fancytooltips fbox fcolumn fetchcls fewerfloatpages ffcode ffslides fgruler fifo-stack figsize filecontents
    filecontentsdef filedate fileinfo filemod fink finstrut fithesis fixcmex fixfoot fixme fixmetodonotes fjodor
    flabels flacards flagderiv flashcards flashmovie flexipage flipbook flippdf floatflt floatrow flowfram fmp
    fmtcount fn2end fnbreak fncychap fncylab fnpara fnpct fnumprint foilhtml foliono fontaxes fontsetup fontsize
    fonttable footmisc footmisx footnotebackref footnoterange footnpag forarray foreign forloop formlett forms16be
    formular fragments frame framed frankenstein frege froufrou ftcap ftnxtra fullblck fullminipage fullwidth
    functional fundus-calligra fundus-cyr fundus-sueterlin fvextra fwlw g-brief gatherenum gauss gcard gcite gender
    genmpage gensymb getfiledate getitems gindex ginpenc gitfile-info gitinfo gitinfo2 gitlog gitstatus gitver
    globalvals gloss glossaries glossaries-danish glossaries-dutch glossaries-english glossaries-estonian
    glossaries-extra glossaries-finnish glossaries-french glossaries-german glossaries-irish glossaries-italian
    glossaries-magyar glossaries-nynorsk glossaries-polish glossaries-portuges glossaries-serbian glossaries-slovene
    glossaries-spanish gmdoc gmdoc-enhance gmiflink gmutils gmverb grabbox gradient-text grading-scheme graphbox
    graphicscache graphicx-psmin graphicxbox graphpaper grayhints grfpaste grid grid-system gridpapers gridset
    gridslides gs1 guitlogo ha-prosper hackthefootline halloweenmath handin handout handoutwithnotes hang hanging
    hardwrap harnon-cv harpoon hc he-she hep-acronym hep-float hep-math hep-text hep-title hereapplies hhtensor
    hideanswer highlightlatex histogr hitec hitreport hletter hobsub hpsdiss href-ul hrefhide huawei hvextern
    hvindex hvlogos hvpygmentex hvqrurl hwemoji hypdestopt hypdvips hyper hyperbar hypernat hyperxmp hyphenat
    identkey idxcmds idxlayout iexec ifallfalse iffont ifmslide ifmtarg ifnextok ifoddpage ifthenx iitem
    image-gallery imakeidx import incgraph indextools inline-images inlinedef inlinelabel inputenx inputtrc
    interactiveworkbook interfaces intopdf inversepath invoice invoice-class invoice2 iso iso10303 isodate isodoc
    isonums isopt isorot isotope issuulinks iwhdp jlabels jmsdelim jobname-suffix jslectureplanner jumplines
    jvlisting kalendarium kantlipsum kerntest keycommand keyfloat keyindex keyparse keyreader keystroke keyval2e
    keyvaltable kix knowledge koma-moderncvclassic koma-script-sfs komacv komacv-rg ktv-texdata l3build labbook
    labels labels4easylist labelschanged lambdax lastpackage lastpage latex-amsmath-dev latex-base-dev latex-bin-dev
    latex-firstaid-dev latex-graphics-dev latex-lab-dev latex-tools-dev latex-uni8 latexcolors latexdemo latexgit
    layouts lazylist lccaps lcd lcg leading leaflet lebhart lectures lectureslides leftidx leftindex leipzig
    lengthconvert lettre lettrine lewis lhelp libgreek limap linegoal linop lipsum lisp-on-tex listing listingsutf8
    listlbls listliketab listofsymbols lkproof lmake locality logbox logical-markup-utils logpap longfbox longfigure
    longnamefilelist loops lsc lstaddons lstfiracode lt3graph lt3rawobjects ltablex ltabptch ltxdockit ltxguidex
    ltxkeys ltxnew ltxtools lua-check-hyphen lua-physical luatodonotes macrolist macroswap magaz magicnum
    magicwatermark mailing mailmerge makebarcode makebase makebox makecell makecirc makecmds makecookbook makedtx
    makeglos makelabels makerobust mandi manfnt manuscript manyind marginfit marginfix marginnote markdown mathalpha
    mathastext mathexam mathfam256 mathfont maybemath mcaption mceinleger mcexam mcite mciteplus mdframed media4svg
    media9 medstarbeamer meetingmins memexsupp memory mensa-tex menu menucard menukeys metalogox metanorma metastr
    method metre mfirstuc mftinc mi-solns midpage mindflow minibox minidocument minifp minimalist minipage-marginpar
    minitoc minorrevision minted minutes mla-paper mleftright mlist mmap mnotes moderncv modernposter moderntimeline
    modref modroman modular monofill moodle moreenum morefloats morehype moresize moreverb morewrites movie15
    mparhack mpostinl msc msg mslapa mtgreek multenum multiaudience multibbl multicap multicolrule multidef multienv
    multiexpand multifootnote multilang multiple-choice multirow mversion mwe mycv mylatex mylatexformat nag
    nameauth namespc ncclatex ncctools needspace nestquot newcommand newenviron newfile newlfm newspaper
    newunicodechar newvbtm newverbs nextpage nfssext-cfr nicefilelist niceframe nicetext nidanfloat ninecolors
    nlctdoc noconflict noindentafter noitcrul nolbreaks nomencl nomentbl nonfloat nonumonpart nopageno normalcolor
    notes notespages notestex notoccite nowidow nox ntheorem numberedblock numname numprint numspell ocg-p ocgx
    ocgx2 ocr-latex octavo oldstyle onlyamsmath opcit opencolor optidef optional options orcidlink orientation
    outline outliner outlines outlining overlays overpic padcount pagecolor pagecont pagegrid pagenote pagerange
    pageslts palette pangram paper papercdcase papermas papertex paracol parades paralist paresse parnotes parsa
    parselines pas-cours pas-cv pas-tableur patch patchcmd pauldoc pawpict pax pbalance pbox pbsheet pdf14 pdfcol
    pdfcolmk pdfcomment pdfcprot pdfmarginpar pdfoverlay pdfpagediff pdfpc pdfpc-movie pdfprivacy pdfreview
    pdfscreen pdfslide pdfsync pdfwin pdfx pecha perltex permute petiteannonce pgfmath-xfp phfcc phfextendedabstract
    phffullpagefigure phfnote phfparen phfqit phfquotetext phfsvnwatermark phfthm philex phonenumbers photo
    photobook picture piff pkgloader placeins plantslabels plates plweb pmboxdraw polynom polynomial polytable
    postcards poster-mac postnotes powerdot ppr-prv ppt-slides practicalreports precattl prelim2e preprint
    pressrelease prettyref prettytok printlen probsoln program progress progressbar projlib proofread properties
    prosper protex protocol psfragx pstool pstring pxgreeks pygmentex python pythonimmediate qcm qstest qsymbols
    quicktype quiz2socrative quotchap quoting quotmark ran_toks randtext rccol rcs-multi rcsinfo readablecv
    readarray realboxes recipe recipebook recipecard rectopma refcheck refenums reflectgraphics refman refstyle
    regcount regexpatch register regstats relenc relsize repeatindex repltext rescansync resmes returntogrid
    rgltxdoc rjlparshap rlepsf rmpage robustcommand robustindex romanbar romanbarpagenumber romanneg romannum
    rotfloat rotpages roundbox rterface rtkinenc rulerbox rulercompass runcode rvwrite sanitize-umlaut sauerj
    saveenv savefnmark savesym savetrees scale scalebar scalerel scanpages schedule schooldocs scontents
    scrambledenvs scrlayer-fancyhdr scrlttr2copy sdaps sdrt secdot secnum sectionbox sectionbreak sectsty seealso
    selectp selinput semantex semantic semantic-markup semesterplanner semioneside semproc semtex sepfootnotes
    seqsplit sesstime sf298 sffms sfmath shadethm shadow shadowtext shapepar shdoc shipunov shorttoc show2e
    showcharinbox showdim showexpl showlabels sidecap sidenotes sidenotesplus silence sillypage simplecd simplecv
    simpleinvoice simplivre sitem skb skdoc skeldoc skeycommand skeyval skills skrapport slantsc smalltableof
    smart-eqn smartref smartunits snapshot snaptodo snotez soulpos soulutf8 spacingtricks spark-otf sparklines
    sphack splitindex spot spotcolor spreadtab spverbatim srbook-mem srcltx sseq sslides stack stackengine
    standalone stdclsdv stdpage stealcaps stex storebox storecmd stringstrings sttools stubs studenthandouts
    styledcmd subdepth subdocs subeqn subeqnarray subfigmat subfigure subfiles subfloat substitutefont substr
    supertabular suppose svg svgcolor svn svn-multi svn-prov svninfo swfigure swungdash syntax syntrace synttree
    tabbing tabfigures tableaux tablefootnote tableof tablestyles tablists tabls tablvar tabstackengine tabto-ltx
    tabu tabularborder tabularcalc tabularew tabularray tabulary tagging tagpair tagpdf talk tamefloats tasks tcldoc
    tcolorbox tdclock technics ted templatetools termcal termlist termsim testhyphens testidx tex-label tex-locale
    texlogos texmate texments texpower texshade texsurgery textcsc textfit textmerg textpos textualicomma texvc
    theoremref thinsp thmtools threadcol threeparttable threeparttablex thumb thumbs thumby ticket tipauni titlecaps
    titlefoot titlepic titleref titlesec titling to-be-determined tocbibind tocdata tocloft tocvsec2 todo todonotes
    tokcycle tokenizer toolbox topfloat topiclongtable totalcount totcount totpages translations transparent
    trfsigns trimspaces trivfloat trsym truncate tucv turnthepage twoinone twoup txgreeks type1cm typed-checklist
    typeface typoaid typogrid uassign ucs uebungsblatt umoline underlin underoverlap undolabl uni-titlepage
    unicodefonttable unisc unitconv units unravel upmethodology upquote uri ushort uspace utf8add uwmslide
    variablelm varindex varsfromjobname varwidth vcell vdmlisting verbasef verbatimbox verbatimcopy verbdef
    verbments verifiche version versions versonotes vertbars vgrid vhistory vmargin volumes vpe vruler vtable vwcol
    wallcalendar wallpaper warning warpcol was webquiz widetable widows-and-orphans williams willowtreebook withargs
    wordcount wordlike worksheet wrapfig wrapfig2 wrapstuff writeongrid wtref xargs xassoccnt xbmks xcntperchap
    xcolor-material xcolor-solarized xcomment xcookybooky xcpdftips xdoc xellipsis xfakebold xfor xhfill xifthen
    xint xkcdcolors xltabular xmpincl xnewcommand xoptarg xpatch xpeek xprintlen xpunctuate xsavebox xsim xstring
    xtab xurl xwatermark xytree yafoot yagusylo yaletter ycbook ydoc yplan zebra-goodies zed-csp zennote ziffer zref
    zref-check zref-clever zref-vario zwgetfdate zwpagelayout
  `,
  'texlive-music': `
    abc autosp bagpipe chordbars chordbox ddphonism figbas gchords gregoriotex gtrcrd guitar guitarchordschemes
    guitartabs harmony latex4musicians leadsheets lilyglyphs lyluatex m-tx musical musicography musixguit musixtex
    musixtex-fonts musixtnt octave piano pmx pmxchords songbook songproj songs xml2pmx xpiano
  `,
  'texlive-plain-generic': `
    abbr abstyles apnum autoaligne barr bitelist borceux c-pascal catcodes chronosys colorsep compare crossrefenum
    dinat dirtree docbytex dowith eijkhout encxvlna epigram epsf epsf-dvipdfmx expex-acro expkv expkv-cs expkv-def
    expkv-opt fenixpar figflow fixpdfmag fltpoint fntproof font-change fontch fontname gates getoptk gfnotation
    gobble graphics-pln gtl hlist hyplain inputnormalization insbox js-misc kastrup lambda-lists langcode lecturer
    letterspacing librarian listofitems localloc mathdots metatex midnight mkpattern modulus multido namedef
    navigator newsletr nth ofs olsak-misc outerhbox path pdf-trans pdfmsym pitex placeins-plain plainpkg plipsum
    plnfss plstmary poormanlog present pwebmac random randomlist resumemac ruler schemata shade simplekv soul swrule
    systeme tabto-generic termmenu tex-ps tex4ht texapi texdate texdimens timetable tracklang transparent-io treetex
    trigonometry ulem upca varisize xii xii-lat xintsession xlop yax zztex
  `,
  'texlive-pstricks': `
    auto-pst-pdf bclogo dsptricks luapstricks makeplot pdftricks pdftricks2 pedigree-perl psbao pst-2dplot pst-3d
    pst-3dplot pst-abspos pst-am pst-antiprism pst-arrow pst-asr pst-bar pst-barcode pst-bezier pst-blur pst-bspline
    pst-calculate pst-calendar pst-cie pst-circ pst-coil pst-contourplot pst-cox pst-dart pst-dbicons
    pst-diffraction pst-electricfield pst-eps pst-eucl pst-exa pst-feyn pst-fill pst-fit pst-flags pst-fr3d
    pst-fractal pst-fun pst-func pst-gantt pst-geo pst-geometrictools pst-gr3d pst-grad pst-graphicx pst-hsb
    pst-infixplot pst-intersect pst-jtree pst-knot pst-labo pst-layout pst-lens pst-light3d pst-lsystem
    pst-magneticfield pst-marble pst-math pst-mirror pst-moire pst-node pst-ob3d pst-ode pst-optexp pst-optic
    pst-osci pst-ovl pst-pad pst-pdf pst-pdgr pst-perspective pst-platon pst-plot pst-poker pst-poly pst-pulley
    pst-qtree pst-rputover pst-rubans pst-shell pst-sigsys pst-slpe pst-solarsystem pst-solides3d pst-soroban
    pst-spectra pst-spinner pst-stru pst-support pst-text pst-thick pst-tools pst-tree pst-turtle pst-tvz pst-uml
    pst-vectorian pst-vehicle pst-venn pst-vowel pst2pdf pstricks pstricks-add pstricks_calcnotes uml vaucanson-g
    vocaltract
  `,
  'texlive-publishers': `
    aastex abnt abntex2 abntexto acmart acmconf active-conf adfathesis afparticle afthesis aguplus aiaa
    anonymous-acm anufinalexam aomart apa apa6 apa6e apa7 arsclassica articleingud asaetr ascelike asmeconf asmejour
    aucklandthesis bangorcsthesis bangorexam bath-bst beamer-fuberlin beamer-verona beilstein bfh-ci bgteubner
    bjfuthesis bmstu bmstu-iu8 br-lex brandeis-dissertation brandeis-problemset brandeis-thesis buctthesis
    cascadilla cesenaexam chem-journal chifoot chs-physics-report cje classicthesis cleanthesis cmpj confproc
    cquthesis dccpaper dithesis ebook ebsthesis ecothesis ejpecp ekaia elbioimp els-cas-templates elsarticle
    elteikthesis emisa erdc estcpmm etsvthor facture-belge-simple-sans-tva fbithesis fcavtex fcltxdoc fei
    ftc-notebook gaceta gammas geradwp gfdl gradstudentresume grant gsemthesis gzt h2020proposal hagenberg-thesis
    har2nat hecthese hep-paper hfutexam hfutthesis hithesis hitszbeamer hitszthesis hobete hu-berlin-bundle
    hustthesis icsv ieeeconf ieeepes ieeetran ijmart ijsra imac imtekda inkpaper iodhbwm iscram jacow jmlr jnuexam
    jourcl jpsj jwjournal kdgdocs kdpcover kfupm-math-exam kluwer ksp-thesis ku-template langsci langsci-avm limecv
    lion-msc llncs llncsconf lni lps matc3 matc3mem mcmthesis mentis mlacls mluexercise mnras
    modeles-factures-belges-assocs msu-thesis mucproc mugsthesis muling musuos muthesis mynsfc nature navydocs
    nddiss ndsu-thesis ndsu-thesis-2022 nih nihbiosketch njustthesis njuthesis njuvisual nostarch novel nrc
    nwafuthesis nwejm onrannual opteng oup-authoring-template philosophersimprint pittetd pkuthss powerdot-fuberlin
    powerdot-tuliplab pracjourn prociagssymp proposal prtec ptptex qrbill quantumarticle resphilosophica resumecls
    revtex revtex4 revtex4-1 rutitlepage ryersonsgsthesis ryethesis sageep sapthesis schule scientific-thesis-cover
    scripture scrjrnl sduthesis se2thesis seu-ml-assign seuthesis seuthesix shortmathj shtthesis smflatex soton
    sphdthesis spie sr-vorl srdp-mathematik stellenbosch suftesi sugconf tabriz-thesis technion-thesis-template
    texilikechaps texilikecover thesis-ekf thesis-gwu thesis-qom thesis-titlepage-fhac thuaslogos thubeamer
    thucoursework thuthesis timbreicmc tlc-article topletter toptesi tuda-ci tudscr tugboat tugboat-plain tui
    turabian uaclasses uafthesis uantwerpendocs ucalgmthesis ucbthesis ucdavisthesis ucsmonograph ucthesis
    udes-genie-these uestcthesis ufrgscca uhhassignment uiucredborder uiucthesis ukbill ulthese umbclegislation
    umich-thesis umthesis unam-thesis unamth-template unamthesis unbtex unifith unigrazpub unitn-bimrep univie-ling
    unizgklasa unswcover uothesis uowthesis uowthesistitlepage urcls uspatent ut-thesis utexasthesis uwa-colours
    uwa-letterhead uwa-pcf uwa-pif uwthesis vancouver wsemclassic xduthesis xduts xmuthesis yathesis yazd-thesis
    yb-book york-thesis
  `,
  'texlive-science': `
    12many accents alg algobox algorithm2e algorithmicx algorithms algpseudocodex algxpar aligned-overset amscdx
    amstex annotate-equations apxproof autobreak axodraw2 backnaur begriff binomexp biocon bitpattern bodeplot bohr
    boldtensors bosisio bpchem bropd bussproofs bussproofs-extra bytefield calculation cartonaugh cascade causets
    ccfonts ccool chemarrow chemcompounds chemcono chemexec chemformula chemgreek chemmacros chemnum chemobabel
    chemplants chemschemex chemsec chemstyle clrscode clrscode3e codeanatomy commath commutative-diagrams complexity
    computational-complexity concmath concrete conteq correctmathalign cryptocode csassignments cvss decision-table
    delim delimseasy delimset derivative diffcoeff digiconfigs dijkstra drawmatrix drawstack dyntree easing ebproof
    econometrics eltex emf endiagram engtlc eolang eqexpl eqnarray eqnnumwarn euclideangeometry extarrows extpfeil
    faktor fascicules fixdif fixmath fnspe formal-grammar fouridx functan galois gastex gene-logic ghsystem
    glosmathtools gotoh grundgesetze gu helmholtz-ellis-ji-notation hep hep-reference hepnames hepparticles
    hepthesis hepunits ibrackets includernw interval ionumbers isomath jkmath jupynotex karnaugh karnaugh-map
    karnaughmap kvmap letterswitharrows lie-hasse logicproof longdivision lpform lplfitch lstbayes mathcommand
    mathcomp mathfixs mathlig mathpartir mathpunctspace mathsemantics matlab-prettifier matrix-skeleton mattens
    mecaso membranecomputing memorygraphs messagepassing mgltex mhchem mhequ miller mismath multiobjective
    namedtensor natded nath nchairx nicematrix nuc nucleardata numerica numerica-plus numerica-tables objectz
    oplotsymbl ot-tableau oubraces overarrows pascaltriangle perfectcut pfdicons physconst physics physunits
    pinoutikz pm-isomath polexpr prftree principia proba proof-at-the-end prooftrees pseudo pseudocode
    pythonhighlight qsharp rank-2-roots rbt-mathnotes rec-thy rest-api revquantum ribbonproofs rmathbr sankey
    sasnrdisplay sciposter sclang-prettifier scratchx sesamanuel sfg shuffle simplebnf simpler-wick simples-matrices
    simplewick sistyle siunits siunitx skmath spalign spbmark stanli statex statex2 statistics statistik statmath
    steinmetz stmaryrd structmech struktex substances subsupscripts subtext susy syllogism synproof t-angles tablor
    tensind tensor tex-ewd textgreek textopo thermodynamics thmbox tiscreen turnstile ulqda unitsdef venn witharrows
    xymtex yhmath youngtab yquant ytableau zx-calculus
  `,
  'texlive-lang-arabic': `
    alkalami alpha-persian amiri arabi arabi-add arabic-book arabluatex arabtex bidi bidihl dad ghab hvarabic
    hyphen-arabic hyphen-farsi imsproc kurdishlipsum lshort-persian luabidi na-box persian-bib quran sexam simurgh
    texnegar tram xepersian xepersian-hm xindy-persian
  `,
  'texlive-lang-chinese': `
    arphic-ttf asymptote-by-example-zh-cn asymptote-faq-zh-cn asymptote-manual-zh-cn cns ctex ctex-faq exam-zh
    fandol fduthesis hanzibox hyphen-chinese impatient-cn install-latex-guide-zh-cn latex-notes-zh-cn lshort-chinese
    nanicolle njurepo pgfornament-han qyxf-book texlive-zh-cn texproposal tlmgr-intro-zh-cn upzhkinsoku xpinyin
    xtuthesis zhlineskip zhlipsum zhmetrics zhmetrics-uptex zhnumber zhspacing
  `,
  'texlive-lang-cjk': `
    c90 cjk-gs-integrate cjkpunct fixjfm garuda-c90 jfmutil norasi-c90 pxtatescale xcjk2uni xecjk zitie zxjafont
  `,
  'texlive-lang-cyrillic': `
    babel-belarusian babel-bulgarian babel-russian babel-serbian babel-serbianc babel-ukrainian churchslavonic cmcyr
    cyrillic cyrillic-bin cyrplain disser eskd eskdx gost hyphen-belarusian hyphen-bulgarian hyphen-churchslavonic
    hyphen-mongolian hyphen-russian hyphen-serbian hyphen-ukrainian lcyw lh lhcyr lshort-bulgarian lshort-mongol
    lshort-russian lshort-ukr mongolian-babel montex mpman-ru numnameru pst-eucl-translation-bg ruhyphen russ
    serbian-apostrophe serbian-date-lat serbian-def-cyr serbian-lig t2 texlive-ru texlive-sr ukrhyph xecyrmongolian
  `,
  'texlive-lang-czechslovak': `
    babel-czech babel-slovak cnbwp cs csbulletin cslatex csplain cstex hyphen-czech hyphen-slovak lshort-czech
    lshort-slovak texlive-cz vlna
  `,
  'texlive-lang-english': `
    amiweb2c-guide amscls-doc amslatex-primer around-the-bend ascii-chart biblatex-cheatsheet components
    comprehensive docsurvey dtxtut first-latex-doc fontinstallationguide forest-quickstart gentle guide-to-latex
    happy4th hyphen-english impatient intro-scientific knuth-errata knuth-hint knuth-pdf l2tabu-english
    latex-brochure latex-course latex-doc-ptr latex-for-undergraduates latex-graphics-companion latex-refsheet
    latex-veryshortguide latex-web-companion latex2e-help-texinfo latex4wp latexcheat latexcourse-rug
    latexfileinfo-pkgs lshort-english macros2e math-into-latex-4 maths-symbols memdesign memoirchapterstyles
    metafont-beginners metapost-examples patgen2-tutorial pictexsum plain-doc short-math-guide simplified-latex
    svg-inkscape tamethebeast tds tex-font-errors-cheatsheet tex-nutshell tex-overview tex-refs tex-vpat texbytopic
    texonly titlepages tlc2 tlc3-examples tlmgrbasics undergradmath visualfaq webguide xetexref
    yet-another-guide-latex2e
  `,
  'texlive-lang-european': `
    armtex babel-albanian babel-bosnian babel-breton babel-croatian babel-danish babel-dutch babel-estonian
    babel-finnish babel-friulan babel-hungarian babel-icelandic babel-irish babel-kurmanji babel-latin babel-latvian
    babel-macedonian babel-norsk babel-occitan babel-piedmontese babel-romanian babel-romansh babel-samin
    babel-scottish babel-slovenian babel-swedish babel-turkish babel-welsh finbib gloss-occitan hrlatex huaz
    hulipsum hyphen-croatian hyphen-danish hyphen-dutch hyphen-estonian hyphen-finnish hyphen-friulan
    hyphen-hungarian hyphen-icelandic hyphen-irish hyphen-kurmanji hyphen-latin hyphen-latvian hyphen-lithuanian
    hyphen-macedonian hyphen-norwegian hyphen-occitan hyphen-piedmontese hyphen-romanian hyphen-romansh
    hyphen-slovenian hyphen-swedish hyphen-turkish hyphen-uppersorbian hyphen-welsh kaytannollista-latexia
    lithuanian lshort-dutch lshort-estonian lshort-finnish lshort-slovenian lshort-turkish nevelok rojud swebib
    turkmen
  `,
  'texlive-lang-french': `
    aeguill annee-scolaire apprendre-a-programmer-en-tex apprends-latex babel-basque babel-french basque-book
    basque-date bib-fr bibleref-french booktabs-fr droit-fr e-french epslatex-fr expose-expl3-dunkerque-2019 facture
    formation-latex-ul frenchmath frletter frpseudocode hyphen-basque hyphen-french impatient-fr impnattypo
    l2tabu-french latex2e-help-texinfo-fr letgut lshort-french mafr matapli profcollege proflabo proflycee tabvar
    tdsfrmath texlive-fr translation-array-fr translation-dcolumn-fr translation-natbib-fr translation-tabbing-fr
    variations visualfaq-fr visualtikz
  `,
  'texlive-lang-german': `
    apalike-german babel-german bibleref-german booktabs-de csquotes-de dehyph dehyph-exptl dhua dtk-bibliography
    etdipa etoolbox-de fifinddo-info german germbib germkorr hausarbeit-jura hyphen-german koma-script-examples
    l2picfaq l2tabu latexcheat-de lshort-german lualatex-doc-de microtype-de milog quran-de r_und_s schulmathematik
    templates-fenn templates-sommer termcal-de texlive-de tipa-de translation-arsclassica-de translation-biblatex-de
    translation-chemsym-de translation-ecv-de translation-enumitem-de translation-europecv-de
    translation-filecontents-de translation-moreverb-de udesoftec uhrzeit umlaute voss-mathcol
  `,
  'texlive-lang-greek': `
    babel-greek begingreek betababel cbfonts cbfonts-fd gfsbaskerville gfsporson greek-fontenc greek-inputenc
    greekdates greektex greektonoi hyphen-ancientgreek hyphen-greek ibycus-babel ibygrk kerkis levy lgreek lgrmath
    mkgrkindex talos teubner xgreek yannisgr
  `,
  'texlive-lang-italian': `
    amsldoc-it amsmath-it amsthdoc-it antanilipsum babel-italian codicefiscaleitaliano fancyhdr-it fixltxhyph
    frontespizio hyphen-italian itnumpar l2tabu-italian latex4wp-it layaureo lshort-italian psfrag-italian
    texlive-it verifica
  `,
  'texlive-lang-japanese': `
    ascmac asternote babel-japanese bxbase bxcjkjatype bxghost bxjaholiday bxjalipsum bxjaprnind bxjatoucs bxjscls
    bxorigcapt bxwareki convbkmk endnotesj gckanbun gentombow haranoaji haranoaji-extra ieejtran ifptex ifxptex
    ipaex japanese-mathformulas japanese-otf jieeetran jlreq jlreq-deluxe jpneduenumerate jpnedumathsymbols
    jsclasses kanbun lshort-japanese luatexja mendex-doc morisawa pbibtex-base pbibtex-manual platex platex-tools
    platexcheat plautopatch ptex ptex-base ptex-fontmaps ptex-fonts ptex-manual ptex2pdf pxbase pxchfon pxcjkcat
    pxjahyper pxjodel pxrubrica pxufont texlive-ja uplatex uptex uptex-base uptex-fonts zxjafbfont zxjatype
  `,
  'texlive-lang-korean': `
    baekmuk cjk-ko kotex-oblivoir kotex-plain kotex-utf kotex-utils lshort-korean nanumtype1 pmhanguljamo uhc
    unfonts-core unfonts-extra
  `,
  'texlive-lang-other': `
    aalok akshar amsldoc-vn aramaic-serto babel-azerbaijani babel-esperanto babel-georgian babel-hebrew
    babel-indonesian babel-interlingua babel-malay babel-sorbian babel-thai babel-vietnamese bangla bangtex bengali
    burmese chhaya cjhebrew ctib ethiop ethiop-t1 fc fonts-tlwg hindawi-latex-template hyphen-afrikaans
    hyphen-armenian hyphen-coptic hyphen-esperanto hyphen-ethiopic hyphen-georgian hyphen-indic hyphen-indonesian
    hyphen-interlingua hyphen-sanskrit hyphen-thai hyphen-turkmen latex-mr latexbangla latino-sine-flexione
    lshort-thai lshort-vietnamese marathi ntheorem-vn padauk quran-bn quran-ur sanskrit sanskrit-t1 thaienum
    thaispec unicode-alphabets velthuis vntex wnri wnri-latex xetex-devanagari
  `,
  'texlive-lang-polish': `
    babel-polish bredzenie cc-pl gustlib gustprog hyphen-polish lshort-polish mex mwcls pl polski przechlewski-book
    qpxqtx tap tex-virtual-academy-pl texlive-pl utf8mex
  `,
  'texlive-lang-portuguese': `
    babel-portuges beamer-tut-pt cursolatex feupphdteses hyphen-portuguese latex-via-exemplos latexcheat-ptbr
    lshort-portuguese numberpt ordinalpt xypic-tut-pt
  `,
  'texlive-lang-spanish': `
    babel-catalan babel-galician babel-spanish es-tex-faq hyphen-catalan hyphen-galician hyphen-spanish
    l2tabu-spanish latex2e-help-texinfo-spanish latexcheat-esmx lshort-spanish texlive-es
  `,
}

let byName: ReadonlyMap<string, string> | null = null

/** The Debian package that brings a package of TeX Live, ignoring case; null when none does. */
export function findDebianPackage(name: string): string | null {
  byName ??= new Map(
    Object.entries(COLLECTIONS).flatMap(([collection, names]) =>
      names
        .trim()
        .split(/\s+/)
        .map((each) => [each.toLowerCase(), collection] as const),
    ),
  )
  return byName.get(name.toLowerCase()) ?? null
}
