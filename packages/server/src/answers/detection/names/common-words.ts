import { foldString } from '../text/fold.ts';

/**
 * Whether a name is also an everyday word, so that detection would find the word as well. The list
 * is short and our own: words used as names of companies and products, and very common English
 * words. Ignores case, accents, a leading "the" and an English plural.
 */
export function isCommonWord(name: string): boolean {
  const word = foldString(name)
    .trim()
    .replace(/^the\s+/, '')
    .replace(/[!?.]+$/, '');
  return singulars(word).some((one) => commonWords.has(one));
}

/** The word, and the singular forms that it may be the plural of. */
function singulars(word: string): string[] {
  return [word, word.replace(/s$/, ''), word.replace(/es$/, ''), word.replace(/ies$/, 'y')];
}

const english = `
  a about above access account ace acorn across act action active actual adapt admiral advance
  advantage affirm after booking ups agent agile air album alert alien all allegiant alliance ally alpha
  alphabet also always amazon amber amp amplitude anchor and angel angle animal answer ant anthem
  any apex apple apply april aqua arc arch archer area arena ark arm armor arrow art article
  ascend ash ask aspect aspire asset assist at atlas atom attentive audible audit august aurora
  avalanche avenue aviator away axe axiom axis back bacon badge balance ball balloon band bank
  banner bar bark barn base basic basis basket bay beach beacon beam bean bear beast beat beauty
  beaver bee before bell belt bench benchmark best beta better beyond big bill bing birch bird bit
  black blackberry blade blend bliss block blog bloom blossom blue board boat body bold bolt bond
  bonus book boost boot border boss both bottle boulder bounce bow bowl box brain branch brand
  brave bread break breeze brick bridge bright bring broker brother brook brush bubble buck bud buffalo
  buffer build bull bullet bumble bump bus business but carta butter butterfly button buy by cactus
  calendar call calm camel camp can canal candle canopy canvas cape capital captain car caravan
  carbon card care career carrot cart carter case cash castle cat catalyst catch caterpillar cause
  cave cell center central century chain chair challenge champion chance change channel chapter
  charge charm chart chase check cheer chef cherry chess chest chevron chief chime chip choice
  chord chrome chronicle cinder cinema circle circus citizen city civic claim clarity class
  classic clay clean clear clever click clip cloak clock close cloud clover club clutch coach
  coast coat cobalt code coffee coin cold collect collective color comet comfort command common
  compass complete concept concord confluence connect console constant contact content context
  control convoy cook cookie cool copper copy coral core corner cosmo cosmos cottage cotton count
  country courier course court cover cow crab craft crane crate crayon create credit creek crest
  crew cricket crisp cross crow crown cruise crunch crush crystal cube cup current cursor curve
  custom cut cycle daily dairy daisy dance dart dash data date dawn day deal dear decide deep deer
  delight deliver delta demand den depot derby desert design desk detail devoted dialogue diamond
  diesel digit dime dinner direct discord discover disk distance dive do doc dock dog doll dollar
  dolphin domain dome domino door dot double dove down dragon drake dream dress drift drink drive
  drop drum duck due dune dusk dust dwell dynamic each eagle early earth ease east easy eat echo
  eclipse edge edit egg eight elastic elder electric element elephant elevate eleven elf elite elm
  ember emblem emerald empire empower encore end energy engage engine enjoy enterprise entrance
  envoy epic epoch equal equinox era escape essence essential eternal ether even event ever
  everest every evolve exact excel exchange expedition expert explore explorer express extra eye
  fable fabric face fact fair falcon fall family fan farm fast father favor feather fellow fence
  fern fiber fiddle field fiesta fifth fig fight figure file film filter find fine finger fire
  firefly firm first fish fit five fix flag flame flash flat fleet flex flick flight flint flip
  float flock flow flower fluent fly focus fog folk follow food foot for force forest forever
  forge form formal fort forth fortune forum forward fossil foundation fountain four fox fragment
  frame free freedom fresh friend frog from front frontier frost fruit fuel full fun fund fuse
  fusion future galaxy gallery game gap garage garden garnet gas gate gather gem gemini general
  genesis genius gentle geo get giant gift ginger give glacier glass glean glide glimpse globe
  glory glow glue go goal gold good goose grace grail grain grammar grand grant grape graph grasp
  grass gravity great green grid grip grit group grove grow growth guard guardian guess guide
  guitar gulf gull gusto habit hail half hall halo hammer hand handle happy harbor hard harmony
  harvest hatch haven hawk hay head heal health heap heart hearth heat heaven hedge helium helix
  hello helm help hem her herald here heritage hero heron hex hi hide high highland hill him hinge
  hint hip his hive hold hollow home honey honor hood hook hope horizon horn horse host hot hound
  hour house how hub human humble hunt hunter hurdle ice icon idea ideal if image imagine impact
  impossible imprint impulse in index indeed indigo infinity ink inner insight inspire instant intact
  invisible ion iris iron island it ivory ivy jade jaguar jam jar jasper jaw jazz jet jewel job
  join journey joy jubilee judge juice jumbo jump june jungle juniper just justice keen keep keeper
  kernel kettle key keystone kin kind kinetic king kingfisher kit kitchen kite kiwi knight knot
  know lab label lace ladder lake lamp lance land lantern lark laser later last lattice launch laurel
  lava law layer lead leaf league leap learn leather ledger legacy legend lemon lemonade lens less
  let letter level lever liberty library life lift light lighthouse lilac lily lime limit line
  linear link lion liquid list lite little live local lock locket lodge loft logic long look loom
  loop lord lotus loud love low lucid luck lucky luna lunch lush lux lynx lyric mace machine magic
  magnet magnolia mail main make mammoth man mango manner map maple marble march mark marker
  market marlin marvel mask mason master match matrix matter maverick max may maybe maze me meadow
  meal mean measure medal mellow melon memo memory men mend mercury merge meridian merit message
  meta meteor method metric metro might mile milestone milk mill mind mine mineral mini mint
  minute miracle mirror mission mist mix mobile mode model modern moment momentum monarch monday
  money monitor monkey monster monument moon moss most moth mother motion motive motor mountain mouse move
  mural muse music must my mystic name narrative nation native natural nature navigate navigator
  near need nest net network never new news next nexus nice night nimble nine noble node noise
  nomad none noon north not notable note nothing notion nova now number nurse nut oak oasis oath
  oats obsidian ocean octave octopus of off offer office oil old olive omega on once one onion
  only onyx opal open opera optic optimist option or oracle orange orbit orchard orchid order
  origin osprey other otter our out outlook outpost over owl own oyster pace pacific pack pad page
  paint palace palm pan panda pandora panel panther paper parade paradigm paragon parallel park
  parrot part partner party pass passage passion past path patron pattern pause pave pay peach
  peacock peak pear pearl pebble pelican pen pencil penguin penny people pepper perch perfect
  perform period persona pet phoenix phrase piano pick picture pie pier pilgrim pilot pin pine
  ping pink pioneer pipe pitch pivot pixel place plaid plain plan plane planet plant plate
  platform play please pledge plenty plot plug plum plume plus pocket pod poem point polar pole
  polish pond pony pool poplar poppy popular port portal post postman pot potato power practice
  prairie precision premier present press prestige presto prime primer princess print priority
  prism private pro process profile progress project promise proof propel proper prose prospect
  prosper protect proton proud provide prudential public puck pulse puma pump pumpkin punch pure purple
  purpose push puzzle quarry quartz queen quest question quick quiet quill quilt quince quip
  quiver quota quote rabbit race radar radiant radio radius raft rain rainbow rainforest raise
  rally ram ramp ranch range ranger rapid rattle raven ray razor reach react read ready real
  reason rebel recall record red reed reef refine reflect reform regal region relax relay reliance
  remark remedy remote renew rent report republic rescue reserve resolve response rest result
  return reveal revolution revolve reward rhythm rice rich ride ridge rifle right ring rio ripple
  rise rite rival river road robin robot rock rocket roll roman roof room root rope rose rotor
  round route rover royal ruby rule run rush sable saddle safari safe saffron saga sage sail saint
  salad salt same sand sandbox sapphire satellite saturn savage save say scale scarlet scene
  school science scoop scope score scout screen script scroll sea seal search season seat second
  secret see seed segment select self senate send sense sentinel sentry sequel sequence sequoia
  series serve service set seven shade shadow shake shape share shark sharp she shed shell shelter
  shepherd shield shift shine ship shop shore short shot show shuttle side sierra sift sigma sign
  signal signature silk silver simple single site six size sketch ski skill skip sky slack slate
  sleep slice slide slim sling slip slope smart smile smoke smooth snap snow snowflake so soap
  social socket soft soil solar solid solo solstice solution some song sonic soul sound soup
  source south space spark sparrow spear spectrum speech speed spell sphere spice spider spike
  spin spiral spire spirit splash splendid split sponge spoon sport spot spring sprinkle sprint
  sprout spruce square squid stack stadium staff stage stamp stand standard staple star start
  state station status stay stealth steel steep stellar stem step stereo stern still stitch stock
  stone stop storage store storm story strategy stream street stride strike string stripe strong
  studio style subway success sugar suit suite sum summer summit sun sunday sunrise superior
  support supreme sure surf surge swan sweep sweet swift swim swing switch sword symbol sync
  system table tablet tackle tag tail take talent talk tango tap tapestry target task tea teach
  team teams tech teddy tell temple ten tender tent terra test text that then there they thing
  think this thistle thread three thrive throne through thunder ticket tidal tide tiger tile time
  tin tinder tiny tip titan to toast today together tomorrow tone tonic tool top topaz torch total
  touch tour toward tower town toy trace track trade trail train transfer transform travel
  traveler travelers treasure tree trek trend triangle tribe tribune trident trillium trim trip
  triumph tropic truck true trump trust truth try tulip tundra tune tunnel turbo turn turtle
  twelve twin twist twitch two type ultra umbra umbrella uncle under union unique unit unite
  united unity universal universe up upland upper urban us use valiant valley value vanguard
  vanilla vault vector vein velvet venture venus verb verdant verse vertex vessel vest via vibe
  victor victory video view viking village vine vintage violet viper virgin virtue visa vision
  vista vital vivid vocal voice void volt volume vortex vote voyage voyager wag wagon walk wall
  walnut want warm watch water wave way we wealth wear weather weave web wedge week welcome well
  west whale what wheat wheel when where whisper whistle white who whole why wick wide wild will
  willow win wind window wine wing winner winter wire wisdom wise wish with wizard wolf woman
  wonder wood wool word work workshop world worth wrap wren write yard year yellow yes yeti yield
  you young your zebra zen zenith zephyr zero zest zip zone zoo zoom
`;

const elsewhere = `
  ahora aldea allegro amour apfel arte bahn banco biedronka bien bild bol boulanger but carrefour
  casa ciel coeur correos couleur deutsche dia dich ergo erste esprit et fest figaro film frisch
  ganz genial gut haus heute immer jeder jetzt kaufhaus klar kraft la leben liebe lieber marca
  mehr mein mer monde mundo nah natur neu nord nova otto pais play plus poste posti prima
  printemps real repubblica seznam sol sole sonne spiegel stern tempo temps tim tu und vento ver
  vida vie volare welt wort zabka zeit 光明 大众 小米 平安 当当 楽天 理想 百合 美的 联想 花王 苹果 长城 다음 당근 배달 토스 현대
`;

const commonWords = new Set([
  ...`${english} ${elsewhere}`.split(/\s+/).filter((word) => word !== ''),
  'made in',
]);
