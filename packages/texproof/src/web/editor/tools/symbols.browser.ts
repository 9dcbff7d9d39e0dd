/** Symbols and snippets of the palette, in groups: `command character`. Symbols are for formulas unless the group says so. */

/** A group of symbols: command and character, separated by a space. */
export interface SymbolGroup {
  readonly name: string
  readonly symbols: string
}

/** Text with fields `${name}` that Tab visits. */
export interface Snippet {
  readonly name: string
  readonly text: string
}

export const SYMBOL_GROUPS: readonly SymbolGroup[] = [
  {
    name: 'Greek letters',
    symbols: String.raw`\alpha α \beta β \gamma γ \delta δ \epsilon ϵ \varepsilon ε \zeta ζ \eta η \theta θ \vartheta ϑ \iota ι \kappa κ \lambda λ \mu μ \nu ν \xi ξ \pi π \varpi ϖ \rho ρ \varrho ϱ \sigma σ \varsigma ς \tau τ \upsilon υ \phi ϕ \varphi φ \chi χ \psi ψ \omega ω \Gamma Γ \Delta Δ \Theta Θ \Lambda Λ \Xi Ξ \Pi Π \Sigma Σ \Upsilon Υ \Phi Φ \Psi Ψ \Omega Ω`,
  },
  {
    name: 'Operators',
    symbols: String.raw`\pm ± \mp ∓ \times × \div ÷ \cdot ⋅ \ast ∗ \star ⋆ \circ ∘ \bullet ∙ \oplus ⊕ \ominus ⊖ \otimes ⊗ \oslash ⊘ \odot ⊙ \cup ∪ \cap ∩ \uplus ⊎ \sqcup ⊔ \sqcap ⊓ \vee ∨ \wedge ∧ \setminus ∖ \wr ≀ \amalg ⨿ \dagger † \ddagger ‡ \diamond ⋄ \triangleleft ◁ \triangleright ▷ \bigtriangleup △ \bigtriangledown ▽`,
  },
  {
    name: 'Large operators',
    symbols: String.raw`\sum ∑ \prod ∏ \coprod ∐ \int ∫ \iint ∬ \iiint ∭ \oint ∮ \bigcup ⋃ \bigcap ⋂ \bigsqcup ⨆ \bigvee ⋁ \bigwedge ⋀ \bigoplus ⨁ \bigotimes ⨂ \bigodot ⨀ \sqrt{} √`,
  },
  {
    name: 'Relations',
    symbols: String.raw`\leq ≤ \geq ≥ \neq ≠ \equiv ≡ \approx ≈ \sim ∼ \simeq ≃ \cong ≅ \propto ∝ \ll ≪ \gg ≫ \prec ≺ \succ ≻ \preceq ⪯ \succeq ⪰ \in ∈ \notin ∉ \ni ∋ \subset ⊂ \supset ⊃ \subseteq ⊆ \supseteq ⊇ \subsetneq ⊊ \sqsubseteq ⊑ \sqsupseteq ⊒ \perp ⊥ \parallel ∥ \mid ∣ \nmid ∤ \vdash ⊢ \dashv ⊣ \models ⊨ \asymp ≍ \doteq ≐ \bowtie ⋈ \leqslant ⩽ \geqslant ⩾ \lesssim ≲ \gtrsim ≳ \triangleq ≜`,
  },
  {
    name: 'Arrows',
    symbols: String.raw`\leftarrow ← \rightarrow → \leftrightarrow ↔ \Leftarrow ⇐ \Rightarrow ⇒ \Leftrightarrow ⇔ \uparrow ↑ \downarrow ↓ \updownarrow ↕ \Uparrow ⇑ \Downarrow ⇓ \mapsto ↦ \longmapsto ⟼ \longleftarrow ⟵ \longrightarrow ⟶ \longleftrightarrow ⟷ \Longrightarrow ⟹ \Longleftarrow ⟸ \iff ⟺ \hookleftarrow ↩ \hookrightarrow ↪ \nearrow ↗ \searrow ↘ \swarrow ↙ \nwarrow ↖ \rightharpoonup ⇀ \rightharpoondown ⇁ \leftharpoonup ↼ \rightleftharpoons ⇌ \rightsquigarrow ⇝ \twoheadrightarrow ↠ \rightarrowtail ↣ \nrightarrow ↛`,
  },
  {
    name: 'Logic and sets',
    symbols: String.raw`\forall ∀ \exists ∃ \nexists ∄ \neg ¬ \land ∧ \lor ∨ \implies ⟹ \top ⊤ \bot ⊥ \emptyset ∅ \varnothing ∅ \infty ∞ \therefore ∴ \because ∵ \complement ∁ \mathbb{N} ℕ \mathbb{Z} ℤ \mathbb{Q} ℚ \mathbb{R} ℝ \mathbb{C} ℂ \mathbb{P} ℙ \mathbb{E} 𝔼 \aleph ℵ`,
  },
  {
    name: 'Calculus and letters',
    symbols: String.raw`\partial ∂ \nabla ∇ \hbar ℏ \ell ℓ \Re ℜ \Im ℑ \wp ℘ \imath ı \jmath ȷ \prime ′ \angle ∠ \degree ° \triangle △ \square □ \blacksquare ■ \lozenge ◊ \eth ð \mathcal{L} ℒ \mathcal{F} ℱ \mathcal{H} ℋ \mathcal{O} 𝒪`,
  },
  {
    name: 'Accents',
    symbols: String.raw`\hat{} x̂ \bar{} x̄ \tilde{} x̃ \vec{} x⃗ \dot{} ẋ \ddot{} ẍ \breve{} x̆ \check{} x̌ \acute{} x́ \widehat{} x͡ \overline{} x̅ \underline{} x̲`,
  },
  {
    name: 'Brackets and dots',
    symbols: String.raw`\langle ⟨ \rangle ⟩ \lfloor ⌊ \rfloor ⌋ \lceil ⌈ \rceil ⌉ \lVert ‖ \rVert ‖ \lbrace { \rbrace } \ldots … \cdots ⋯ \vdots ⋮ \ddots ⋱ \quad ␣ \, ␣`,
  },
  {
    name: 'Text',
    symbols: String.raw`\S § \P ¶ \copyright © \texttrademark ™ \textregistered ® \pounds £ \texteuro € \textyen ¥ \textdegree ° \textmu µ \textohm Ω \textcelsius ℃ \textpm ± \texttimes × \textbullet • \textendash – \textemdash — \textquotedblleft “ \textquotedblright ” \guillemotleft « \guillemotright » \textexclamdown ¡ \textquestiondown ¿ \ss ß \ae æ \AE Æ \oe œ \OE Œ \o ø \O Ø \aa å \AA Å \l ł \L Ł \& & \% % \# # \$ $ \_ _ \textbackslash \ \textasciitilde ~ \textasciicircum ^`,
  },
]

export const SNIPPETS: readonly Snippet[] = [
  ['Section', '\\section{${title}}\n\\label{sec:${label}}\n'],
  [
    'Figure',
    '\\begin{figure}[htbp]\n  \\centering\n  \\includegraphics[width=0.8\\linewidth]{${file}}\n  \\caption{${caption}}\n  \\label{fig:${label}}\n\\end{figure}\n',
  ],
  [
    'Table',
    '\\begin{table}[htbp]\n  \\centering\n  \\caption{${caption}}\n  \\label{tab:${label}}\n  \\begin{tabular}{${lr}}\n    \\hline\n    ${first} & ${second} \\\\\n    \\hline\n  \\end{tabular}\n\\end{table}\n',
  ],
  ['Equation', '\\begin{equation}\n  ${formula}\n  \\label{eq:${label}}\n\\end{equation}\n'],
  ['Aligned equations', '\\begin{align}\n  ${left} &= ${right} \\\\\n  &= ${next}\n\\end{align}\n'],
  [
    'Cases',
    '\\begin{cases}\n  ${value} & \\text{if } ${condition}, \\\\\n  ${other} & \\text{otherwise}.\n\\end{cases}\n',
  ],
  ['Matrix', '\\begin{pmatrix}\n  ${a} & ${b} \\\\\n  ${c} & ${d}\n\\end{pmatrix}\n'],
  ['Fraction', '\\frac{${numerator}}{${denominator}}'],
  ['Bulleted list', '\\begin{itemize}\n  \\item ${first}\n  \\item ${second}\n\\end{itemize}\n'],
  ['Numbered list', '\\begin{enumerate}\n  \\item ${first}\n  \\item ${second}\n\\end{enumerate}\n'],
  ['Description list', '\\begin{description}\n  \\item[${term}] ${description}\n\\end{description}\n'],
  ['Quotation', '\\begin{quote}\n  ${text}\n\\end{quote}\n'],
  ['Theorem', '\\begin{theorem}\n  \\label{thm:${label}}\n  ${statement}\n\\end{theorem}\n'],
  ['Proof', '\\begin{proof}\n  ${proof}\n\\end{proof}\n'],
  ['Footnote', '\\footnote{${text}}'],
  ['Minipage', '\\begin{minipage}{${0.5}\\linewidth}\n  ${text}\n\\end{minipage}\n'],
].map(([name = '', text = '']) => ({ name, text }))
