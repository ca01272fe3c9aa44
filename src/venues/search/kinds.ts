import type { Category } from '../../contract/rules/venue-kinds.ts'

/*
 * Phrases, separated by commas, in English and Indonesian. What follows `=` is searched for instead of the phrase:
 * alternatives between `|`, each of words that must all occur. Languages and fashions are more of the same.
 */

/** What a kind of venue is called; such a phrase says nothing more. */
export const kindWords: Record<Category, string> = {
  restaurant: `restaurant, restaurants, restaurante, resto, restos, restoran, rumah makan, tempat makan, eatery, eateries,
    dining, dine, dinner, dinners, lunch, supper, food, foodie, eat, eats, eating, meal, meals, diner, cuisine, kitchen,
    place to eat, places to eat, somewhere to eat, something to eat, where to eat, makan, makanan, makan malam, makan siang,
    kuliner, hungry, lapar, family dinner, business lunch, set menu, buffet`,
  bar: `bar, bars, pub, pubs, drink, drinks, drinking, nightlife, night life, nightclub, night club, nightclubs, club night,
    place to drink, somewhere to drink, minum, minuman, tempat minum, minum minum, kelab malam, klub malam, happy hour,
    after work drinks, watering hole, boozer, tavern, cantina, clubbing, party place`,
  gym: `gym, gyms, gymnasium, fitness, fitnes, workout, workouts, work out, working out, exercise, fitness studio,
    fitness centre, fitness center, fitness club, health club, kebugaran, pusat kebugaran, tempat fitness, tempat gym,
    olahraga, latihan, latihan fisik, senam, train, training, work up a sweat, get fit, sport, sports club, personal trainer`,
  spa: `spa, spas, treatment, treatments, wellness, wellness centre, wellness center, day spa, salon spa, perawatan,
    perawatan tubuh, pamper, pampering, relaxation, relaxing, relax, relaksasi, rileks, unwind, spa day, spa treatment,
    spa treatments, beauty treatment, de stress`,
}

/** Phrases that hint at a kind only where nothing else says one. */
export const weakKinds: Partial<Record<Category, string>> = {
  restaurant: 'table, tables, meja',
  gym: 'class, classes, kelas, session, sessions, lesson, lessons',
  bar: 'club, clubs, klub, lounge, sundowner, sundowners, nongkrong',
}

/** Phrases that imply a kind of venue and are searched for as well. A kind that is named outright prevails. */
export const impliedKinds: Record<Category, string> = {
  restaurant: `sushi, sushi bar=sushi, sashimi=sushi, nigiri=sushi, omakase, ramen, ramen bar=ramen, noodle, noodles, noodle bar=noodles|ramen,
    noodle soup=noodles|ramen|pho, udon=noodles|ramen, mie=noodles|ramen, mi=noodles|ramen, bakmi=noodles|ramen, izakaya=japanese,
    japanese, jepang=japanese, makanan jepang=japanese, pizza, pizzas, pizzeria=pizza, pasta, spaghetti=pasta, lasagna=pasta,
    italian, italia=italian, trattoria=italian|trattoria, osteria=italian, wood fired pizza=pizza,
    seafood, sea food=seafood, fish=seafood|fish, fresh fish=seafood, grilled fish=seafood|grill, ikan=seafood,
    ikan bakar=seafood|grill, makanan laut=seafood, boga bahari=seafood, lobster=seafood, prawns=seafood, crab=seafood,
    oysters=seafood, oyster bar=seafood, steak, steaks, steakhouse=steak, steak house=steak, bistik=steak, wagyu=steak, meat=steak|grill,
    daging=steak|grill, grill, grilled, bar and grill=grill, barbecue, barbeque=barbecue, bbq=barbecue, barbekyu=barbecue,
    panggang=grill|barbecue, vegan, vegans=vegan, vegetarian, veggie=vegetarian|vegan, vegetarians=vegetarian, plant based=vegan,
    plantbased=vegan, vegetarisch=vegetarian, nabati=vegan, salad=healthy|vegan, salad bar=healthy|vegan, juice=vegan|healthy,
    juice bar=vegan|healthy, smoothie=healthy|vegan, smoothie bowl=healthy|vegan, healthy food=healthy, makanan sehat=healthy,
    brunch, breakfast=breakfast|brunch, breakfasts=breakfast|brunch, sarapan=breakfast|brunch, avocado toast=brunch,
    cafe=cafe|coffee|brunch, cafes=cafe|coffee|brunch, kafe=cafe|coffee|brunch, coffee=coffee|cafe|brunch,
    coffee shop=coffee|cafe|brunch, kopi=coffee|cafe|brunch, ngopi=coffee|cafe|brunch, bakery=bakery|brunch,
    warung, warungs=warung, warung makan=warung, kedai=warung, kaki lima=street food, nasi campur, nasi goreng=indonesian,
    nasi padang=indonesian, bakso=indonesian, soto=indonesian, gado gado=indonesian, babi guling=balinese, suckling pig=balinese,
    bebek=balinese, indonesian, masakan indonesia=indonesian, makanan indonesia=indonesian, masakan padang=rendang, padang=rendang,
    balinese, makanan bali=balinese, masakan bali=balinese, balinese food=balinese, javanese, jawa=javanese, masakan jawa=javanese,
    gudeg=javanese, rendang, satay=satay|sate, sate=satay|sate, sambal=balinese|indonesian, malay, malaysian=malay,
    melayu=malay, makanan melayu=malay, peranakan, nyonya=peranakan, nonya=peranakan, laksa, hawker=street food|peranakan,
    curry, curries, kari=curry, thai, thai food=thai, thai restaurant=thai, thai restaurants=thai, makanan thailand=thai, som tam,
    somtam=som tam, papaya salad=som tam, pad thai=thai, padthai=thai, tom yum=thai, tom yam=thai, green curry=thai curry,
    vietnamese, makanan vietnam=vietnamese, pho, banh mi=vietnamese, bun cha=vietnamese|pho, spring rolls=vietnamese, street food,
    jajanan=street food, khmer, cambodian, amok, fish amok=amok, lok lak=khmer, filipino, philippine food=filipino, pinoy=filipino,
    adobo, lechon=filipino, sisig=filipino, kinilaw=filipino, mexican, meksiko=mexican, taco, tacos, taqueria=tacos, burrito=mexican,
    burritos=mexican, quesadilla=mexican, guacamole=mexican, bistro=bistro|fine dining, tapas=tapas, burger, burgers, dumplings,
    dim sum, hotpot, hot pot=hotpot, chinese, indian, korean, french, greek, spanish, western, mediterranean, fusion,
    fine dining, finedining=fine dining, tasting menu, tastingmenu=tasting menu, degustation=tasting menu, chefs table=tasting menu|omakase,
    michelin=fine dining, gourmet=fine dining, date night=romantic, romantic dinner=romantic, candlelight dinner=romantic,
    makan malam romantis=romantic, anniversary dinner=romantic, dessert, halal, gluten free, family style, plates to share=family style`,
  bar: `cocktail, cocktails, koktail=cocktails, mocktail=cocktails, mocktails=cocktails, mixology=cocktails, martini=cocktails,
    negroni=cocktails, cocktail room=cocktails, cocktail lounge=cocktails, wine, wines, wine bar=wine, anggur=wine, natural wine,
    red wine=wine, white wine=wine, wine tasting=wine, beer, beers, bir=beer, pints=beer, pint=beer, craft beer, craft beers=craft beer,
    beer garden=beer, brewery=craft beer, brewpub=craft beer, microbrewery=craft beer, ipa=craft beer, draft beer=beer, draught beer=beer,
    speakeasy, speak easy=speakeasy, hidden bar=speakeasy, secret bar=speakeasy, rooftop, rooftops=rooftop, roof top=rooftop,
    rooftop bar=rooftop, roof bar=rooftop, sky bar=rooftop, skybar=rooftop, atap=rooftop, sunset drinks=sunset, sunset cocktails=sunset cocktails,
    beach club, beach clubs=beach club, klub pantai=beach club, beach bar=beach club, day bed, day beds=day bed, daybed=day bed, daybeds=day bed,
    sunbed=day bed, sun bed=day bed, sunbeds=day bed, pool party=beach club, pool club=beach club, pool bar=beach club,
    cabana=day bed, mezcal, tequila=mezcal, whisky=whisky|cocktails, whiskey=whisky|cocktails, gin=gin|cocktails, rum=rum|cocktails,
    spirits=cocktails, taproom, tap room=taproom, live music, musik live=live music, live band=live music, live bands=live music,
    musik hidup=live music, jazz=jazz|live music, dj=dj, dance=dj, dancing=dj, vinyl, vinyl bar=vinyl, listening bar=vinyl, small plates, karaoke`,
  gym: `yoga, yogas=yoga, yoga studio=yoga, yoga class=yoga, hot yoga=yoga, bikram=yoga, ashtanga=yoga, hatha=yoga, kelas yoga=yoga,
    vinyasa, yin, yin yoga=yin, meditation, meditasi=meditation, breathwork=breathwork|meditation, pilates, mat pilates=pilates,
    pilates studio=pilates, reformer, reformer pilates=reformer, barre, crossfit, cross fit=crossfit, wod=crossfit, boxing, tinju=boxing,
    kickboxing=muay thai|boxing, kick boxing=muay thai|boxing, boxing gym=boxing, muay thai, muaythai=muay thai, thai boxing=muay thai,
    martial arts, martial art=martial arts, bela diri=martial arts, mma=martial arts, bjj=martial arts, jiu jitsu=martial arts,
    jiujitsu=martial arts, karate=martial arts, spinning=spinning|hiit, spin class=spinning|hiit, cycling class=spinning|hiit, hiit,
    interval training=hiit, circuit training=hiit|conditioning, bootcamp=hiit|conditioning, boot camp=hiit|conditioning, cardio=hiit|conditioning,
    conditioning, functional training=crossfit|conditioning, rowing=hiit, climbing, climbing gym=climbing, rock climbing=climbing,
    climbing wall=climbing, panjat tebing=climbing, panjat dinding=climbing, bouldering, boulder=bouldering, boulders=bouldering,
    training board, weights, free weights=weights, weight training=weights, weight lifting=weights, weightlifting=weights, lifting=weights,
    powerlifting=strength|weights, deadlift=strength|weights, squat rack=strength|weights, bodybuilding=weights|strength,
    angkat beban=weights, beban=weights, barbell=weights, strength, strength training=strength, strength gym=strength, open gym, mobility=mobility|yoga,
    stretching=yoga|pilates, zumba=zumba|hiit`,
  spa: `massage, massages, massage house=massage, massage parlour=massage, massage parlor=massage, pijat=massage, pijet=massage, dipijat=massage,
    pijatan=massage, pijat tradisional=massage, pijat bali=massage, urut=massage, balinese massage=massage, thai massage=massage,
    swedish massage=massage, deep tissue=massage, deep tissue massage=massage, traditional massage=massage, full body massage=massage,
    oil massage=massage, back massage=massage, back rub=massage, shiatsu=massage, masseuse=massage, hot stone=massage, hot stone massage=massage,
    couples massage=couples massage, couple massage=couples massage, couple spa=couples, couples spa=couples, couples treatment=couples, pijat pasangan=couples,
    foot massage=reflexology, foot rub=reflexology, pijat kaki=reflexology, pijat refleksi=reflexology, reflexology, refleksi=reflexology,
    reflexiology=reflexology, facial, facials, facial treatment=facial, face treatment=facial, face mask=facial|skincare, perawatan wajah=facial,
    perawatan kulit=skincare, totok wajah=facial, skincare, skin care=skincare, skin studio=skincare, sauna, saunas, infrared sauna=sauna,
    steam room=sauna|steam, steam bath=sauna|steam, steam=sauna|steam, mandi uap=sauna, hammam=hammam|sauna, hamam=hammam|sauna,
    turkish bath=hammam|sauna, onsen=onsen|sauna|cold plunge, hot spring=onsen|sauna, hot springs=onsen|sauna, pemandian=sauna|bathhouse,
    pemandian air panas=onsen|sauna, bath house=sauna|bathhouse, bathhouse=sauna|bathhouse, jacuzzi=sauna|pool, banya=sauna,
    ice bath=cold plunge, ice baths=cold plunge, cold plunge, plunge pool=cold plunge, scrub=scrub, scrubs=scrub, body scrub, body scrubs=body scrub,
    exfoliation=body scrub, lulur=body scrub, luluran=body scrub, aromatherapy, aromaterapi=aromatherapy, aroma therapy=aromatherapy,
    essential oils=aromatherapy, flower bath, flower baths=flower bath, mandi bunga=flower bath, herbal compress, herbal compresses=herbal compress,
    kompres herbal=herbal compress, body wrap=body scrub, manicure=manicure|skincare, pedicure=pedicure|skincare, mani pedi=skincare, waxing=waxing|skincare`,
}

/** Phrases that are searched for under another name, whatever the kind. */
export const synonyms = `romantis=romantic, romance=romantic, honeymoon=romantic, anniversary=romantic, sehat=healthy,
  pemandangan=view, views=view, scenic=view, panorama=view, matahari terbenam=sunset, kolam renang=pool, swimming pool=pool, berenang=pool,
  keluarga=family style, pasangan=couples, wood fired=wood fired, open air=open air`
