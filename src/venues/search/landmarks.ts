/** A place to search near: its names (the first is shown), position and the slug of its area. */
export type Landmark = {
  names: readonly string[]
  area: string
  latitude: number
  longitude: number
}

// names, separated by commas; area; latitude; longitude
const table = `
Tanah Lot, Tanah Lot Temple, Pura Tanah Lot | pererenan | -8.6212 | 115.0868
Uluwatu Temple, Pura Uluwatu, Pura Luhur Uluwatu | uluwatu | -8.8291 | 115.0849
Suluban Beach, Blue Point Beach | uluwatu | -8.8154 | 115.0880
Dreamland Beach | uluwatu | -8.7993 | 115.1185
Bingin Beach, Pantai Bingin | uluwatu | -8.8056 | 115.1130
Padang Padang Beach, Pantai Padang Padang | uluwatu | -8.8112 | 115.1037
Melasti Beach, Pantai Melasti | uluwatu | -8.8489 | 115.1620
Pandawa Beach, Pantai Pandawa | jimbaran | -8.8454 | 115.1862
Garuda Wisnu Kencana, GWK, GWK Cultural Park | jimbaran | -8.8104 | 115.1676
Jimbaran Bay, Jimbaran Beach | jimbaran | -8.7767 | 115.1653
Sacred Monkey Forest, Monkey Forest, Ubud Monkey Forest | ubud | -8.5188 | 115.2585
Ubud Palace, Puri Saren, Puri Saren Agung | ubud | -8.5066 | 115.2625
Ubud Market, Ubud Art Market, Pasar Ubud | ubud | -8.5073 | 115.2633
Campuhan Ridge, Campuhan Ridge Walk | ubud | -8.5036 | 115.2548
Tegallalang Rice Terraces, Tegallalang Rice Terrace, Ceking | ubud | -8.4312 | 115.2793
Goa Gajah, Elephant Cave | ubud | -8.5234 | 115.2871
Tegenungan Waterfall, Tegenungan | ubud | -8.5755 | 115.2890
Mount Batur, Gunung Batur, Kintamani | ubud | -8.2420 | 115.3750
Tirta Empul, Tirta Empul Temple | ubud | -8.4156 | 115.3153
Potato Head, Potato Head Beach Club, Desa Potato Head | seminyak | -8.6793 | 115.1507
Ku De Ta | seminyak | -8.6850 | 115.1543
Petitenget Temple, Pura Petitenget | seminyak | -8.6782 | 115.1508
Seminyak Beach, Pantai Seminyak | seminyak | -8.6915 | 115.1555
Double Six Beach, Double Six | seminyak | -8.6958 | 115.1610
Seminyak Square | seminyak | -8.6838 | 115.1571
Batu Bolong Beach, Old Man's | canggu | -8.6595 | 115.1303
Berawa Beach, Pantai Berawa | canggu | -8.6636 | 115.1410
Echo Beach | canggu | -8.6553 | 115.1253
Finns Beach Club, Finns | canggu | -8.6655 | 115.1388
Love Anchor, Love Anchor Market | canggu | -8.6508 | 115.1305
La Brisa, La Brisa Beach Club | canggu | -8.6540 | 115.1245
Pererenan Beach, Pantai Pererenan | pererenan | -8.6505 | 115.1204
Ngurah Rai Airport, Bali Airport, Airport Bali, Denpasar Airport,
Bandara Ngurah Rai | kuta | -8.7467 | 115.1667
Waterbom, Waterbom Bali | kuta | -8.7286 | 115.1693
Beachwalk, Beachwalk Mall | kuta | -8.7167 | 115.1697
Legian Beach, Pantai Legian | legian | -8.7053 | 115.1653
Sanur Beach, Pantai Sanur, Sindhu Beach | sanur | -8.6816 | 115.2648
Benoa Harbour, Benoa Harbor, Pelabuhan Benoa | denpasar | -8.7453 | 115.2120
Bajra Sandhi, Bajra Sandhi Monument, Renon Square | denpasar | -8.6717 | 115.2338
Geger Beach, Pantai Geger | nusa-dua | -8.8197 | 115.2290
Nusa Dua Beach, Pantai Nusa Dua | nusa-dua | -8.7953 | 115.2330
Water Blow | nusa-dua | -8.8033 | 115.2396
Bali Collection | nusa-dua | -8.8003 | 115.2310
Jemeluk, Jemeluk Bay | amed | -8.3375 | 115.6607
Tirta Gangga, Tirta Gangga Water Palace, Tirtagangga | amed | -8.4120 | 115.5873
Lempuyang Temple, Pura Lempuyang, Gates of Heaven | amed | -8.3914 | 115.6313
Lovina Beach, Pantai Lovina | lovina | -8.1616 | 115.0258
Kelingking Beach, Nusa Penida | nusa-lembongan | -8.7508 | 115.4727
Devil's Tear, Devils Tears | nusa-lembongan | -8.6907 | 115.4302
Senggigi Beach, Pantai Senggigi | senggigi | -8.4907 | 116.0411
Tanjung Aan, Tanjung Aan Beach | kuta-lombok | -8.9106 | 116.3206
Mandalika Circuit, Sirkuit Mandalika | kuta-lombok | -8.8953 | 116.2950
Lombok Airport, Airport Lombok, Praya Airport, Bandara Lombok | kuta-lombok | -8.7573 | 116.2767
Gili Trawangan Harbour, Gili T Harbour | gili-trawangan | -8.3525 | 116.0440
Monas, National Monument, Monumen Nasional | menteng | -6.1754 | 106.8272
Bundaran HI, Hotel Indonesia Roundabout, Grand Indonesia | menteng | -6.1950 | 106.8230
Soekarno Hatta Airport, Jakarta Airport, CGK, Bandara Soekarno Hatta | menteng | -6.1256 | 106.6559
Halim Airport, Halim Perdanakusuma, Bandara Halim | kemang | -6.2666 | 106.8910
Blok M | kemang | -6.2443 | 106.7982
Kota Tua, Jakarta Old Town, Fatahillah Square | menteng | -6.1352 | 106.8133
Malioboro, Malioboro Street, Jalan Malioboro | prawirotaman | -7.7926 | 110.3658
Yogyakarta Airport, Jogja Airport, YIA, Bandara YIA | prawirotaman | -7.9053 | 110.0573
Prambanan, Candi Prambanan | prawirotaman | -7.7520 | 110.4915
Borobudur, Candi Borobudur | prawirotaman | -7.6079 | 110.2038
Yogyakarta Palace, Kraton, Keraton Yogyakarta | prawirotaman | -7.8053 | 110.3642
Marina Bay Sands, MBS, Marina Bay | tanjong-pagar | 1.2834 | 103.8607
Changi Airport, Singapore Airport, Changi | kampong-glam | 1.3592 | 103.9894
Gardens by the Bay | tanjong-pagar | 1.2816 | 103.8636
Merlion, Merlion Park | tanjong-pagar | 1.2868 | 103.8545
Chinatown Singapore, Maxwell Food Centre | tanjong-pagar | 1.2804 | 103.8447
Sentosa, Sentosa Island, Universal Studios Singapore | tiong-bahru | 1.2494 | 103.8303
Lau Pa Sat | tanjong-pagar | 1.2806 | 103.8504
Botanic Gardens, Singapore Botanic Gardens | tiong-bahru | 1.3138 | 103.8159
Little India Singapore, Little India | kampong-glam | 1.3066 | 103.8518
Orchard Road, Orchard, ION Orchard | tiong-bahru | 1.3040 | 103.8318
Raffles Hotel | kampong-glam | 1.2949 | 103.8545
Bugis, Bugis Junction | kampong-glam | 1.2996 | 103.8552
Sultan Mosque, Masjid Sultan | kampong-glam | 1.3023 | 103.8590
Clarke Quay | tanjong-pagar | 1.2906 | 103.8465
Petronas Towers, KLCC, Petronas Twin Towers, Petronas, Twin Towers,
Suria KLCC | bukit-bintang | 3.1579 | 101.7116
Subang Airport | bangsar | 3.1306 | 101.5490
Batu Caves | bukit-bintang | 3.2379 | 101.6840
Petaling Street, Chinatown KL, Central Market KL, Pasar Seni | bukit-bintang | 3.1445 | 101.6955
KL Tower, Menara KL | bukit-bintang | 3.1528 | 101.7038
Pavilion KL, Pavilion Kuala Lumpur, Pavilion Mall | bukit-bintang | 3.1490 | 101.7134
Jalan Alor, Alor Street | bukit-bintang | 3.1457 | 101.7089
Merdeka Square, Dataran Merdeka | bukit-bintang | 3.1478 | 101.6937
KL Sentral | bangsar | 3.1343 | 101.6865
Mid Valley, Mid Valley Megamall | bangsar | 3.1179 | 101.6770
Penang Airport, Bayan Lepas Airport | george-town | 5.2971 | 100.2769
Khoo Kongsi | george-town | 5.4145 | 100.3372
Komtar | george-town | 5.4144 | 100.3299
Kek Lok Si, Kek Lok Si Temple | george-town | 5.3995 | 100.2736
Armenian Street, Lebuh Armenian | george-town | 5.4152 | 100.3365
Penang Hill, Bukit Bendera | george-town | 5.4244 | 100.2689
Gurney Drive, Gurney Plaza | george-town | 5.4376 | 100.3098
Suvarnabhumi Airport, Suvarnabhumi, Bangkok Airport | thonglor | 13.6900 | 100.7501
Don Mueang Airport, Don Mueang, Don Muang Airport | ari | 13.9126 | 100.6067
Khao San Road, Khao San, Khaosan, Khaosan Road | silom | 13.7589 | 100.4974
Grand Palace, Wat Phra Kaew | silom | 13.7500 | 100.4913
Wat Arun, Temple of Dawn | silom | 13.7437 | 100.4889
Wat Pho | silom | 13.7465 | 100.4930
Lumpini Park, Lumphini Park | silom | 13.7307 | 100.5418
Patpong, Patpong Night Market | silom | 13.7290 | 100.5320
ICONSIAM, Icon Siam | silom | 13.7266 | 100.5106
Yaowarat, Chinatown Bangkok | silom | 13.7410 | 100.5085
Asiatique, Asiatique Riverfront | silom | 13.7046 | 100.5030
CentralWorld, Central World | silom | 13.7466 | 100.5391
Siam Paragon, Siam Square, MBK Center | silom | 13.7462 | 100.5347
Victory Monument | ari | 13.7649 | 100.5383
Chatuchak Market, Chatuchak, Chatuchak Weekend Market, JJ Market | ari | 13.7999 | 100.5505
EmQuartier, Emporium, Phrom Phong | thonglor | 13.7305 | 100.5697
Terminal 21, Asok | thonglor | 13.7377 | 100.5604
Chiang Mai Airport | nimman | 18.7668 | 98.9626
Doi Suthep, Wat Phra That Doi Suthep | nimman | 18.8049 | 98.9216
Chiang Mai Night Bazaar, Night Bazaar | nimman | 18.7853 | 99.0005
Tha Phae Gate, Thapae Gate, Chiang Mai Old City | nimman | 18.7877 | 98.9932
Maya Mall, Maya Chiang Mai | nimman | 18.8024 | 98.9673
Phuket Airport | phuket-old-town | 8.1132 | 98.3169
Big Buddha, Phuket Big Buddha | rawai | 7.8276 | 98.3128
Promthep Cape, Phromthep Cape | rawai | 7.7594 | 98.3045
Thalang Road, Phuket Walking Street | phuket-old-town | 7.8855 | 98.3895
Tan Son Nhat Airport, Tan Son Nhat, Saigon Airport | district-1 | 10.8188 | 106.6520
War Remnants Museum | district-1 | 10.7795 | 106.6920
Bitexco, Bitexco Tower, Bitexco Financial Tower | district-1 | 10.7717 | 106.7043
Ben Thanh Market, Cho Ben Thanh | district-1 | 10.7725 | 106.6980
Notre Dame Cathedral, Saigon Cathedral, Notre Dame Saigon | district-1 | 10.7798 | 106.6990
Bui Vien, Bui Vien Street, Bui Vien Walking Street | district-1 | 10.7672 | 106.6938
Nguyen Hue, Nguyen Hue Walking Street | district-1 | 10.7742 | 106.7035
Independence Palace, Reunification Palace | district-1 | 10.7770 | 106.6953
Landmark 81 | thao-dien | 10.7950 | 106.7219
Noi Bai Airport, Noi Bai, Hanoi Airport | tay-ho | 21.2212 | 105.8072
Hanoi Old Quarter, Old Quarter | tay-ho | 21.0340 | 105.8500
West Lake, Ho Tay, West Lake Hanoi | tay-ho | 21.0580 | 105.8230
Hoan Kiem Lake, Hoan Kiem, Sword Lake | tay-ho | 21.0287 | 105.8524
Ho Chi Minh Mausoleum, Ba Dinh Square | tay-ho | 21.0368 | 105.8346
Tran Quoc Pagoda | tay-ho | 21.0479 | 105.8369
Hoi An Ancient Town, Hoi An Old Town | an-bang | 15.8770 | 108.3280
Japanese Bridge, Japanese Covered Bridge | an-bang | 15.8771 | 108.3260
An Bang Beach | an-bang | 15.9140 | 108.3407
Siem Reap Airport | wat-bo | 13.3695 | 104.2232
Angkor Wat, Angkor | wat-bo | 13.4125 | 103.8670
Pub Street, Siem Reap Old Market | wat-bo | 13.3547 | 103.8547
Phnom Penh Airport, Techo Airport | bkk1 | 11.3603 | 104.9167
Russian Market, Toul Tom Poung | bkk1 | 11.5406 | 104.9152
Royal Palace Phnom Penh, Phnom Penh Royal Palace | bkk1 | 11.5640 | 104.9313
Independence Monument | bkk1 | 11.5564 | 104.9282
Tuol Sleng, Genocide Museum | bkk1 | 11.5494 | 104.9176
Luang Prabang Airport | ban-xieng-thong | 19.8973 | 102.1608
Mount Phousi, Phousi Hill | ban-xieng-thong | 19.8902 | 102.1363
Wat Xieng Thong | ban-xieng-thong | 19.8977 | 102.1434
Kuang Si Falls, Kuang Si | ban-xieng-thong | 19.7494 | 101.9921
Manila Airport, NAIA, Ninoy Aquino Airport | makati | 14.5086 | 121.0194
Greenbelt, Greenbelt Mall | makati | 14.5521 | 121.0215
Glorietta, Ayala Center, Ayala Avenue | makati | 14.5512 | 121.0248
Intramuros | makati | 14.5896 | 120.9747
Rizal Park, Luneta | makati | 14.5831 | 120.9794
Bonifacio High Street, High Street BGC | bgc | 14.5507 | 121.0512
Mactan Airport, Cebu Airport | lahug | 10.3075 | 123.9790
Magellan's Cross, Basilica del Santo Nino | lahug | 10.2935 | 123.9021
Ayala Center Cebu, Cebu IT Park | lahug | 10.3181 | 123.9054
Yangon Airport | bahan | 16.9073 | 96.1332
Sule Pagoda | bahan | 16.7744 | 96.1587
Shwedagon Pagoda, Shwedagon | bahan | 16.7984 | 96.1497
Kandawgyi Lake | bahan | 16.7950 | 96.1650
`

/** Landmarks of the demo network's areas. A landmark is left out where its area is missing. */
export const landmarks: readonly Landmark[] = table
  .trim()
  .split(/(?<!,)\n/)
  .map((line) => {
    const [names = '', area = '', latitude, longitude] = line.split(' | ')
    return {
      names: names.split(/,\s/),
      area,
      latitude: Number(latitude),
      longitude: Number(longitude),
    }
  })
