// Made by assigned-numbers.py from bluetooth-numbers 1.1.2 and bumble 0.0.236. Do not edit.
// Each line is a number in hex of fixed width and a name; lines are sorted, so that they can be searched where they lie.

// swift-format-ignore-file

extension AssignedNumbers {
  /// Company identifiers.
  static let companies: StaticString = #"""
    0000Ericsson AB
    0001Nokia Mobile Phones
    0002Intel Corp.
    0003IBM Corp.
    0004Toshiba Corp.
    00053Com
    0006Microsoft
    0007Lucent
    0008Motorola
    0009Infineon Technologies AG
    000aQualcomm Technologies International, Ltd. (QTIL)
    000bSilicon Wave
    000cDigianswer A/S
    000dTexas Instruments Inc.
    000eParthus Technologies Inc.
    000fBroadcom Corporation
    0010Mitel Semiconductor
    0011Widcomm, Inc.
    0012Zeevo, Inc.
    0013Atmel Corporation
    0014Mitsubishi Electric Corporation
    0015RTX A/S
    0016KC Technology Inc.
    0017Newlogic
    0018Transilica, Inc.
    0019Rohde & Schwarz GmbH & Co. KG
    001aTTPCom Limited
    001bSignia Technologies, Inc.
    001cConexant Systems Inc.
    001dQualcomm
    001eInventel
    001fAVM Berlin
    0020BandSpeed, Inc.
    0021Mansella Ltd
    0022NEC Corporation
    0023WavePlus Technology Co., Ltd.
    0024Alcatel
    0025NXP B.V.
    0026C Technologies
    0027Open Interface
    0028R F Micro Devices
    0029Hitachi Ltd
    002aSymbol Technologies, Inc.
    002bTenovis
    002cMacronix International Co. Ltd.
    002dGCT Semiconductor
    002eNorwood Systems
    002fMewTel Technology Inc.
    0030ST Microelectronics
    0031Synopsys, Inc.
    0032Red-M (Communications) Ltd
    0033Commil Ltd
    0034Computer Access Technology Corporation (CATC)
    0035Eclipse (HQ Espana) S.L.
    0036Renesas Electronics Corporation
    0037Mobilian Corporation
    0038Syntronix Corporation
    0039Integrated System Solution Corp.
    003aPanasonic Holdings Corporation
    003bGennum Corporation
    003cBlackBerry Limited
    003dIPextreme, Inc.
    003eSystems and Chips, Inc
    003fBluetooth SIG, Inc
    0040Seiko Epson Corporation
    0041Integrated Silicon Solution Taiwan, Inc.
    0042CONWISE Technology Corporation Ltd
    0043PARROT AUTOMOTIVE SAS
    0044Socket Mobile
    0045Atheros Communications, Inc.
    0046MediaTek, Inc.
    0047Bluegiga
    0048Marvell Technology Group Ltd.
    00493DSP Corporation
    004aAccel Semiconductor Ltd.
    004bContinental Automotive Systems
    004cApple, Inc.
    004dStaccato Communications, Inc.
    004eAvago Technologies
    004fAPT Ltd.
    0050SiRF Technology, Inc.
    0051Tzero Technologies, Inc.
    0052J&M Corporation
    0053Free2move AB
    00543DiJoy Corporation
    0055Plantronics, Inc.
    0056Sony Ericsson Mobile Communications
    0057Harman International Industries, Inc.
    0058Vizio, Inc.
    0059Nordic Semiconductor ASA
    005aEM Microelectronic-Marin SA
    005bRalink Technology Corporation
    005cBelkin International, Inc.
    005dRealtek Semiconductor Corporation
    005eStonestreet One, LLC
    005fWicentric, Inc.
    0060RivieraWaves S.A.S
    0061RDA Microelectronics
    0062Gibson Guitars
    0063MiCommand Inc.
    0064Band XI International, LLC
    0065HP, Inc.
    00669Solutions Oy
    0067GN Audio A/S
    0068General Motors
    0069A&D Engineering, Inc.
    006aMindTree Ltd.
    006bPolar Electro OY
    006cBeautiful Enterprise Co., Ltd.
    006dBriarTek, Inc
    006eSummit Data Communications, Inc.
    006fSound ID
    0070Monster, LLC
    0071connectBlue AB
    0072ShangHai Super Smart Electronics Co. Ltd.
    0073Group Sense Ltd.
    0074Zomm, LLC
    0075Samsung Electronics Co. Ltd.
    0076Creative Technology Ltd.
    0077Laird Connectivity LLC
    0078Nike, Inc.
    0079lesswire AG
    007aMStar Semiconductor, Inc.
    007bHanlynn Technologies
    007cA & R Cambridge
    007dSeers Technology Co., Ltd.
    007eSports Tracking Technologies Ltd.
    007fAutonet Mobile
    0080DeLorme Publishing Company, Inc.
    0081WuXi Vimicro
    0082DSEA A/S
    0083TimeKeeping Systems, Inc.
    0084Ludus Helsinki Ltd.
    0085BlueRadios, Inc.
    0086Equinux AG
    0087Garmin International, Inc.
    0088Ecotest
    0089GN Hearing A/S
    008aJawbone
    008bTopcon Positioning Systems, LLC
    008cGimbal Inc.
    008dZscan Software
    008eQuintic Corp
    008fTelit Wireless Solutions GmbH
    0090Funai Electric Co., Ltd.
    0091Advanced PANMOBIL systems GmbH & Co. KG
    0092ThinkOptics, Inc.
    0093Universal Electronics, Inc.
    0094Airoha Technology Corp.
    0095NEC Lighting, Ltd.
    0096ODM Technology, Inc.
    0097ConnecteDevice Ltd.
    0098zero1.tv GmbH
    0099i.Tech Dynamic Global Distribution Ltd.
    009aAlpwise
    009bJiangsu Toppower Automotive Electronics Co., Ltd.
    009cColorfy, Inc.
    009dGeoforce Inc.
    009eBose Corporation
    009fSuunto Oy
    00a0Kensington Computer Products Group
    00a1SR-Medizinelektronik
    00a2Vertu Corporation Limited
    00a3Meta Watch Ltd.
    00a4LINAK A/S
    00a5OTL Dynamics LLC
    00a6Panda Ocean Inc.
    00a7Visteon Corporation
    00a8ARP Devices Limited
    00a9MARELLI EUROPE S.P.A.
    00aaCAEN RFID srl
    00abIngenieur-Systemgruppe Zahn GmbH
    00acGreen Throttle Games
    00adPeter Systemtechnik GmbH
    00aeOmegawave Oy
    00afCinetix
    00b0Passif Semiconductor Corp
    00b1Saris Cycling Group, Inc
    00b2Bekey A/S
    00b3Clarinox Technologies Pty. Ltd.
    00b4BDE Technology Co., Ltd.
    00b5Swirl Networks
    00b6Meso international
    00b7TreLab Ltd
    00b8Qualcomm Innovation Center, Inc. (QuIC)
    00b9Johnson Controls, Inc.
    00baStarkey Hearing Technologies
    00bbS-Power Electronics Limited
    00bcAce Sensor Inc
    00bdAplix Corporation
    00beAAMP of America
    00bfStalmart Technology Limited
    00c0AMICCOM Electronics Corporation
    00c1Shenzhen Excelsecu Data Technology Co.,Ltd
    00c2Geneq Inc.
    00c3adidas AG
    00c4LG Electronics
    00c5Onset Computer Corporation
    00c6Selfly BV
    00c7Quuppa Oy.
    00c8GeLo Inc
    00c9Evluma
    00caMC10
    00cbBinauric SE
    00ccBeats Electronics
    00cdMicrochip Technology Inc.
    00ceEve Systems GmbH
    00cfARCHOS SA
    00d0Dexcom, Inc.
    00d1Polar Electro Europe B.V.
    00d2Dialog Semiconductor B.V.
    00d3Taixingbang Technology (HK) Co,. LTD.
    00d4Kawantech
    00d5Austco Communication Systems
    00d6Timex Group USA, Inc.
    00d7Qualcomm Technologies, Inc.
    00d8Qualcomm Connected Experiences, Inc.
    00d9Voyetra Turtle Beach
    00datxtr GmbH
    00dbSnuza (Pty) Ltd
    00dcProcter & Gamble
    00ddHosiden Corporation
    00deMuzik LLC
    00dfMisfit Wearables Corp
    00e0Google
    00e1Danlers Ltd
    00e2Semilink Inc
    00e3inMusic Brands, Inc
    00e4L.S. Research, Inc.
    00e5Eden Software Consultants Ltd.
    00e6Freshtemp
    00e7KS Technologies
    00e8ACTS Technologies
    00e9Vtrack Systems
    00eawww.vtracksystems.com
    00ebServer Technology Inc.
    00ecBioResearch Associates
    00edJolly Logic, LLC
    00eeAbove Average Outcomes, Inc.
    00efBitsplitters GmbH
    00f0PayPal, Inc.
    00f1Witron Technology Limited
    00f2Morse Project Inc.
    00f3Kent Displays Inc.
    00f4Nautilus Inc.
    00f5Smartifier Oy
    00f6Elcometer Limited
    00f7VSN Technologies, Inc.
    00f8AceUni Corp., Ltd.
    00f9StickNFind
    00faCrystal Alarm AB
    00fbKOUKAAM a.s.
    00fcDelphi Corporation
    00fdValenceTech Limited
    00feStanley Black and Decker
    00ffTypo Products, LLC
    0100TomTom International BV
    0101Fugoo, Inc.
    0102Keiser Corporation
    0103Bang & Olufsen A/S
    0104PLUS Location Systems Pty Ltd
    0105Ubiquitous Computing Technology Corporation
    0106Innovative Yachtter Solutions
    0107Demant A/S
    0108Chicony Electronics Co., Ltd.
    0109Atus BV
    010aCodegate Ltd
    010bERi, Inc
    010cTransducers Direct, LLC
    010dDENSO TEN Limited
    010eAudi AG
    010fHiSilicon Technologies CO., LIMITED
    0110Nippon Seiki Co., Ltd.
    0111Steelseries ApS
    0112Visybl Inc.
    0113Openbrain Technologies, Co., Ltd.
    0114Xensr
    0115e.solutions
    011610AK Technologies
    0117Wimoto Technologies Inc
    0118Radius Networks, Inc.
    0119Wize Technology Co., Ltd.
    011aQualcomm Labs, Inc.
    011bHewlett Packard Enterprise
    011cBaidu
    011dArendi AG
    011eSkoda Auto a.s.
    011fVolkswagen AG
    0120Porsche AG
    0121Sino Wealth Electronic Ltd.
    0122AirTurn, Inc.
    0123Kinsa, Inc
    0124HID Global
    0125SEAT es
    0126Promethean Ltd.
    0127Salutica Allied Solutions
    0128GPSI Group Pty Ltd
    0129Nimble Devices Oy
    012aChangzhou Yongse Infotech Co., Ltd.
    012bSportIQ
    012cTEMEC Instruments B.V.
    012dSony Corporation
    012eASSA ABLOY
    012fClarion Co. Inc.
    0130Warehouse Innovations
    0131Cypress Semiconductor
    0132MADS Inc
    0133Blue Maestro Limited
    0134Resolution Products, Ltd.
    0135Aireware LLC
    0136Silvair, Inc.
    0137Prestigio Plaza Ltd.
    0138NTEO Inc.
    0139Focus Systems Corporation
    013aTencent Holdings Ltd.
    013bAllegion
    013cMurata Manufacturing Co., Ltd.
    013dWirelessWERX
    013eNod, Inc.
    013fB&B Manufacturing Company
    0140Alpine Electronics (China) Co., Ltd
    0141FedEx Services
    0142Grape Systems Inc.
    0143Bkon Connect
    0144Lintech GmbH
    0145Novatel Wireless
    0146Ciright
    0147Mighty Cast, Inc.
    0148Ambimat Electronics
    0149Perytons Ltd.
    014aTivoli Audio, LLC
    014bMaster Lock
    014cMesh-Net Ltd
    014dHUIZHOU DESAY SV AUTOMOTIVE CO., LTD.
    014eTangerine, Inc.
    014fB&W Group Ltd.
    0150Pioneer Corporation
    0151OnBeep
    0152Vernier Software & Technology
    0153ROL Ergo
    0154Pebble Technology
    0155NETATMO
    0156Accumulate AB
    0157Anhui Huami Information Technology Co., Ltd.
    0158Inmite s.r.o.
    0159ChefSteps, Inc.
    015amicas AG
    015bBiomedical Research Ltd.
    015cPitius Tec S.L.
    015dEstimote, Inc.
    015eUnikey Technologies, Inc.
    015fTimer Cap Co.
    0160AwoX
    0161yikes
    0162MADSGlobalNZ Ltd.
    0163PCH International
    0164Qingdao Yeelink Information Technology Co., Ltd.
    0165Milwaukee Electric Tools
    0166MISHIK Pte Ltd
    0167Ascensia Diabetes Care US Inc.
    0168Spicebox LLC
    0169emberlight
    016aEmerson Digital Cold Chain, Inc.
    016bQblinks
    016cMYSPHERA
    016dLifeScan Inc
    016eVolantic AB
    016fPodo Labs, Inc
    0170Roche Diabetes Care AG
    0171Amazon.com Services LLC
    0172Connovate Technology Private Limited
    0173Kocomojo, LLC
    0174Everykey Inc.
    0175Dynamic Controls
    0176SentriLock
    0177I-SYST inc.
    0178CASIO COMPUTER CO., LTD.
    0179LAPIS Semiconductor Co.,Ltd
    017aTelemonitor, Inc.
    017btaskit GmbH
    017cMercedes-Benz Group AG
    017dBatAndCat
    017eBluDotz Ltd
    017fXTel Wireless ApS
    0180Gigaset Communications GmbH
    0181Gecko Health Innovations, Inc.
    0182HOP Ubiquitous
    0183Walt Disney
    0184Nectar
    0185bel'apps LLC
    0186CORE Lighting Ltd
    0187Seraphim Sense Ltd
    0188Unico RBC
    0189Physical Enterprises Inc.
    018aAble Trend Technology Limited
    018bKonica Minolta, Inc.
    018cWilo SE
    018dExtron Design Services
    018eFitbit, Inc.
    018fFireflies Systems
    0190Intelletto Technologies Inc.
    0191FDK CORPORATION
    0192Cloudleaf, Inc
    0193Maveric Automation LLC
    0194Acoustic Stream Corporation
    0195Zuli
    0196Paxton Access Ltd
    0197WiSilica Inc.
    0198VENGIT Korlatolt Felelossegu Tarsasag
    0199SALTO SYSTEMS S.L.
    019aTRON Forum
    019bCUBETECH s.r.o.
    019cCokiya Incorporated
    019dCVS Health
    019eCeruus
    019fStrainstall Ltd
    01a0Channel Enterprises (HK) Ltd.
    01a1FIAMM
    01a2GIGALANE.CO.,LTD
    01a3EROAD
    01a4MSA Innovation, LLC
    01a5Icon Health and Fitness
    01a6Wille Engineering
    01a7ENERGOUS CORPORATION
    01a8Taobao
    01a9Canon Inc.
    01aaGeophysical Technology Inc.
    01abMeta Platforms, Inc.
    01acTrividia Health, Inc.
    01adFlightSafety International
    01aeEarlens Corporation
    01afSunrise Micro Devices, Inc.
    01b0Star Micronics Co., Ltd.
    01b1Netizens Sp. z o.o.
    01b2Nymi Inc.
    01b3Nytec, Inc.
    01b4Trineo Sp. z o.o.
    01b5Nest Labs Inc.
    01b6LM Technologies Ltd
    01b7General Electric Company
    01b8i+D3 S.L.
    01b9HANA Micron
    01baStages Cycling LLC
    01bbCochlear Bone Anchored Solutions AB
    01bcSenionLab AB
    01bdSyszone Co., Ltd
    01bePulsate Mobile Ltd.
    01bfHong Kong HunterSun Electronic Limited
    01c0pironex GmbH
    01c1BRADATECH Corp.
    01c2Transenergooil AG
    01c3Bunch
    01c4DME Microelectronics
    01c5Bitcraze AB
    01c6HASWARE Inc.
    01c7Abiogenix Inc.
    01c8Poly-Control ApS
    01c9Avi-on
    01caLaerdal Medical AS
    01cbFetch My Pet
    01ccSam Labs Ltd.
    01cdChengdu Synwing Technology Ltd
    01ceHOUWA SYSTEM DESIGN, k.k.
    01cfBSH
    01d0Primus Inter Pares Ltd
    01d1August Home, Inc
    01d2Gill Electronics
    01d3Sky Wave Design
    01d4Newlab S.r.l.
    01d5ELAD srl
    01d6G-wearables inc.
    01d7Squadrone Systems Inc.
    01d8Code Corporation
    01d9Savant Systems LLC
    01daLogitech International SA
    01dbInnblue Consulting
    01dciParking Ltd.
    01ddKoninklijke Philips N.V.
    01deMinelab Electronics Pty Limited
    01dfBison Group Ltd.
    01e0Widex A/S
    01e1Jolla Ltd
    01e2Lectronix, Inc.
    01e3Caterpillar Inc
    01e4Freedom Innovations
    01e5Dynamic Devices Ltd
    01e6Technology Solutions (UK) Ltd
    01e7IPS Group Inc.
    01e8STIR
    01e9Sano, Inc.
    01eaAdvanced Application Design, Inc.
    01ebAutoMap LLC
    01ecSpreadtrum Communications Shanghai Ltd
    01edCuteCircuit LTD
    01eeValeo Service
    01efFullpower Technologies, Inc.
    01f0KloudNation
    01f1Zebra Technologies Corporation
    01f2Itron, Inc.
    01f3The University of Tokyo
    01f4UTC Fire and Security
    01f5Cool Webthings Limited
    01f6DJO Global
    01f7Gelliner Limited
    01f8Anyka (Guangzhou) Microelectronics Technology Co, LTD
    01f9Medtronic Inc.
    01faGozio Inc.
    01fbForm Lifting, LLC
    01fcWahoo Fitness, LLC
    01fdKontakt Micro-Location Sp. z o.o.
    01feRadio Systems Corporation
    01ffFreescale Semiconductor, Inc.
    0200Verifone Systems Pte Ltd. Taiwan Branch
    0201AR Timing
    0202Rigado LLC
    0203Kemppi Oy
    0204Tapcentive Inc.
    0205Smartbotics Inc.
    0206Otter Products, LLC
    0207STEMP Inc.
    0208LumiGeek LLC
    0209InvisionHeart Inc.
    020aMacnica Inc.
    020bJaguar Land Rover Limited
    020cCoroWare Technologies, Inc
    020dSimplo Technology Co., LTD
    020eOmron Healthcare Co., LTD
    020fComodule GMBH
    0210ikeGPS
    0211Telink Semiconductor Co. Ltd
    0212Interplan Co., Ltd
    0213Wyler AG
    0214IK Multimedia Production srl
    0215Lukoton Experience Oy
    0216MTI Ltd
    0217Tech4home, Lda
    0218Hiotech AB
    0219DOTT Limited
    021aBlue Speck Labs, LLC
    021bCisco Systems, Inc
    021cMobicomm Inc
    021dEdamic
    021eGoodnet, Ltd
    021fLuster Leaf Products Inc
    0220Manus Machina BV
    0221Mobiquity Networks Inc
    0222Praxis Dynamics
    0223Philip Morris Products S.A.
    0224Comarch SA
    0225Nestlé Nespresso S.A.
    0226Merlinia A/S
    0227LifeBEAM Technologies
    0228Twocanoes Labs, LLC
    0229Muoverti Limited
    022aStamer Musikanlagen GMBH
    022bTesla, Inc.
    022cPharynks Corporation
    022dLupine
    022eSiemens AG
    022fHuami (Shanghai) Culture Communication CO., LTD
    0230Foster Electric Company, Ltd
    0231ETA SA
    0232x-Senso Solutions Kft
    0233Shenzhen SuLong Communication Ltd
    0234FengFan (BeiJing) Technology Co, Ltd
    0235Qrio Inc
    0236Pitpatpet Ltd
    0237MSHeli s.r.l.
    0238Trakm8 Ltd
    0239JIN CO, Ltd
    023aAlatech Tehnology
    023bBeijing CarePulse Electronic Technology Co, Ltd
    023cAwarepoint
    023dViCentra B.V.
    023eRaven Industries
    023fWaveWare Technologies Inc.
    0240Argenox Technologies
    0241Bragi GmbH
    024216Lab Inc
    0243Masimo Corp
    0244Iotera Inc
    0245Endress+Hauser
    0246ACKme Networks, Inc.
    0247FiftyThree Inc.
    0248Parker Hannifin Corp
    0249Transcranial Ltd
    024aUwatec AG
    024bOrlan LLC
    024cBlue Clover Devices
    024dM-Way Solutions GmbH
    024eMicrotronics Engineering GmbH
    024fSchneider SchreibgerÃ¤te GmbH
    0250Sapphire Circuits LLC
    0251Lumo Bodytech Inc.
    0252UKC Technosolution
    0253Xicato Inc.
    0254Playbrush
    0255Dai Nippon Printing Co., Ltd.
    0256G24 Power Limited
    0257AdBabble Local Commerce Inc.
    0258Devialet SA
    0259ALTYOR
    025aUniversity of Applied Sciences Valais/Haute Ecole Valaisanne
    025bFive Interactive, LLC dba Zendo
    025cNetEase Hangzhou Network co.Ltd.
    025dLexmark International Inc.
    025eFluke Corporation
    025fYardarm Technologies
    0260SensaRx
    0261SECVRE GmbH
    0262Glacial Ridge Technologies
    0263Identiv, Inc.
    0264DDS, Inc.
    0265SMK Corporation
    0266Schawbel Technologies LLC
    0267XMI Systems SA
    0268Cerevo
    0269Torrox GmbH & Co KG
    026aGemalto
    026bDEKA Research & Development Corp.
    026cDomster Tadeusz Szydlowski
    026dTechnogym SPA
    026eFLEURBAEY BVBA
    026fAptcode Solutions
    0270LSI ADL Technology
    0271Animas Corp
    0272Alps Alpine Co., Ltd.
    0273OCEASOFT
    0274Motsai Research
    0275Geotab
    0276E.G.O. Elektro-Geraetebau GmbH
    0277bewhere inc
    0278Johnson Outdoors Inc
    0279steute Schaltgerate GmbH & Co. KG
    027aEkomini inc.
    027bDEFA AS
    027cAseptika Ltd
    027dHUAWEI Technologies Co., Ltd.
    027eHabitAware, LLC
    027fruwido austria gmbh
    0280ITEC corporation
    0281StoneL
    0282Sonova AG
    0283Maven Machines, Inc.
    0284Synapse Electronics
    0285WOWTech Canada Ltd.
    0286RF Code, Inc.
    0287Wally Ventures S.L.
    0288Willowbank Electronics Ltd
    0289SK Telecom
    028aJetro AS
    028bCode Gears LTD
    028cNANOLINK APS
    028dIF, LLC
    028eRF Digital Corp
    028fChurch & Dwight Co., Inc
    0290Multibit Oy
    0291CliniCloud Inc
    0292SwiftSensors
    0293Blue Bite
    0294ELIAS GmbH
    0295Sivantos GmbH
    0296Petzl
    0297storm power ltd
    0298EISST Ltd
    0299Inexess Technology Simma KG
    029aCurrant, Inc.
    029bC2 Development, Inc.
    029cBlue Sky Scientific, LLC
    029dALOTTAZS LABS, LLC
    029eKupson spol. s r.o.
    029fAreus Engineering GmbH
    02a0Impossible Camera GmbH
    02a1InventureTrack Systems
    02a2Sera4 Ltd.
    02a3Itude
    02a4Pacific Lock Company
    02a5Tendyron Corporation
    02a6Robert Bosch GmbH
    02a7Illuxtron international B.V.
    02a8miSport Ltd.
    02a9Chargelib
    02aaDoppler Lab
    02abBBPOS Limited
    02acRTB Elektronik GmbH & Co. KG
    02adRx Networks, Inc.
    02aeWeatherFlow, Inc.
    02afTechnicolor USA Inc.
    02b0Bestechnic(Shanghai),Ltd
    02b1Raden Inc
    02b2Oura Health Oy
    02b3CLABER S.P.A.
    02b4Hyginex, Inc.
    02b5HANSHIN ELECTRIC RAILWAY CO.,LTD.
    02b6Schneider Electric
    02b7Oort Technologies LLC
    02b8Chrono Therapeutics
    02b9Rinnai Corporation
    02baSwissprime Technologies AG
    02bbKoha.,Co.Ltd
    02bcGenevac Ltd
    02bdChemtronics
    02beSeguro Technology Sp. z o.o.
    02bfRedbird Flight Simulations
    02c0Dash Robotics
    02c1LINE Corporation
    02c2Guillemot Corporation
    02c3Techtronic Power Tools Technology Limited
    02c4Wilson Sporting Goods
    02c5Lenovo (Singapore) Pte Ltd.
    02c6Ayatan Sensors
    02c7Electronics Tomorrow Limited
    02c8OneSpan
    02c9PayRange Inc.
    02caABOV Semiconductor
    02cbAINA-Wireless Inc.
    02ccEijkelkamp Soil & Water
    02cdBMA ergonomics b.v.
    02ceTeva Branded Pharmaceutical Products R&D, Inc.
    02cfAnima
    02d03M
    02d1Empatica Srl
    02d2Afero, Inc.
    02d3Powercast Corporation
    02d4Secuyou ApS
    02d5OMRON Corporation
    02d6Send Solutions
    02d7NIPPON SYSTEMWARE CO.,LTD.
    02d8Neosfar
    02d9Fliegl Agrartechnik GmbH
    02daGilvader
    02dbDigi International Inc (R)
    02dcDeWalch Technologies, Inc.
    02ddFlint Rehabilitation Devices, LLC
    02deSamsung SDS Co., Ltd.
    02dfBlur Product Development
    02e0University of Michigan
    02e1Victron Energy BV
    02e2NTT docomo
    02e3Carmanah Technologies Corp.
    02e4Bytestorm Ltd.
    02e5Espressif Systems (Shanghai) Co., Ltd.
    02e6Unwire
    02e7Connected Yard, Inc.
    02e8American Music Environments
    02e9Sensogram Technologies, Inc.
    02eaFujitsu Limited
    02ebArdic Technology
    02ecDelta Systems, Inc
    02edHTC Corporation
    02eeCitizen Holdings Co., Ltd.
    02efSMART-INNOVATION.inc
    02f0Blackrat Software
    02f1The Idea Cave, LLC
    02f2GoPro, Inc.
    02f3AuthAir, Inc
    02f4Vensi, Inc.
    02f5Indagem Tech LLC
    02f6Intemo Technologies
    02f7DreamVisions co., Ltd.
    02f8Runteq Oy Ltd
    02f9IMAGINATION TECHNOLOGIES LTD
    02faCoSTAR TEchnologies
    02fbClarius Mobile Health Corp.
    02fcShanghai Frequen Microelectronics Co., Ltd.
    02fdUwanna, Inc.
    02feLierda Science & Technology Group Co., Ltd.
    02ffSilicon Laboratories
    0300World Moto Inc.
    0301Giatec Scientific Inc.
    0302Loop Devices, Inc
    0303IACA electronique
    0304Proxy Technologies, Inc.
    0305Swipp ApS
    0306Life Laboratory Inc.
    0307FUJI INDUSTRIAL CO.,LTD.
    0308Surefire, LLC
    0309Dolby Labs
    030aEllisys
    030bMagnitude Lighting Converters
    030cHilti AG
    030dDevdata S.r.l.
    030eDeviceworx
    030fShortcut Labs
    0310SGL Italia S.r.l.
    0311PEEQ DATA
    0312Ducere Technologies Pvt Ltd
    0313DiveNav, Inc.
    0314RIIG AI Sp. z o.o.
    0315Thermo Fisher Scientific
    0316AG Measurematics Pvt. Ltd.
    0317CHUO Electronics CO., LTD.
    0318Aspenta International
    0319Eugster Frismag AG
    031aWurth Elektronik eiSos GmbH & Co. KG
    031bHQ Inc
    031cLab Sensor Solutions
    031dEnterlab ApS
    031eEyefi, Inc.
    031fMetaSystem S.p.A.
    0320SONO ELECTRONICS. CO., LTD
    0321Jewelbots
    0322Compumedics Limited
    0323Rotor Bike Components
    0324Astro, Inc.
    0325Amotus Solutions
    0326Healthwear Technologies (Changzhou)Ltd
    0327Essex Electronics
    0328Grundfos A/S
    0329Eargo, Inc.
    032aElectronic Design Lab
    032bESYLUX
    032cNIPPON SMT.CO.,Ltd
    032dBM innovations GmbH
    032eindoormap
    032fOttoQ Inc
    0330North Pole Engineering
    03313flares Technologies Inc.
    0332Electrocompaniet A.S.
    0333Mul-T-Lock
    0334Airthings ASA
    0335Enlighted Inc
    0336GISTIC
    0337AJP2 Holdings, LLC
    0338COBI GmbH
    0339Blue Sky Scientific, LLC
    033aAppception, Inc.
    033bCourtney Thorne Limited
    033cVirtuosys
    033dTPV Technology Limited
    033eMonitra SA
    033fAutomation Components, Inc.
    0340Letsense s.r.l.
    0341Etesian Technologies LLC
    0342GERTEC BRASIL LTDA.
    0343Drekker Development Pty. Ltd.
    0344Whirl Inc
    0345Locus Positioning
    0346Acuity Brands Lighting, Inc
    0347Prevent Biometrics
    0348Arioneo
    0349VersaMe
    034aVaddio
    034bLibratone A/S
    034cHM Electronics, Inc.
    034dTASER International, Inc.
    034eSafeTrust Inc.
    034fHeartland Payment Systems
    0350Bitstrata Systems Inc.
    0351Pieps GmbH
    0352iRiding(Xiamen)Technology Co.,Ltd.
    0353Alpha Audiotronics, Inc.
    0354TOPPAN FORMS CO.,LTD.
    0355Sigma Designs, Inc.
    0356Spectrum Brands, Inc.
    0357Polymap Wireless
    0358MagniWare Ltd.
    0359Novotec Medical GmbH
    035aPhillips-Medisize A/S
    035bMatrix Inc.
    035cEaton Corporation
    035dKYS
    035eNaya Health, Inc.
    035fAcromag
    0360Insulet Corporation
    0361Wellinks Inc.
    0362ON Semiconductor
    0363FREELAP SA
    0364Favero Electronics Srl
    0365BioMech Sensor LLC
    0366BOLTT Sports technologies Private limited
    0367Saphe International
    0368Metormote AB
    0369littleBits
    036aSetPoint Medical
    036bBRControls Products BV
    036cZipcar
    036dAirBolt Pty Ltd
    036eMOTIVE TECHNOLOGIES, INC.
    036fMotiv, Inc.
    0370Wazombi Labs OÃœ
    0371ORBCOMM
    0372Nixie Labs, Inc.
    0373AppNearMe Ltd
    0374Holman Industries
    0375Expain AS
    0376Electronic Temperature Instruments Ltd
    0377Plejd AB
    0378Propeller Health
    0379Shenzhen iMCO Electronic Technology Co.,Ltd
    037aAlgoria
    037bApption Labs Inc.
    037cCronologics Corporation
    037dMICRODIA Ltd.
    037elulabytes S.L.
    037fSociété des Produits Nestlé S.A.
    0380LLC "MEGA-F service"
    0381Sharp Corporation
    0382Precision Outcomes Ltd
    0383Kronos Incorporated
    0384OCOSMOS Co., Ltd.
    0385Embedded Electronic Solutions Ltd. dba e2Solutions
    0386Aterica Inc.
    0387BluStor PMC, Inc.
    0388Kapsch TrafficCom AB
    0389ActiveBlu Corporation
    038aKohler Mira Limited
    038bNoke
    038cAppion Inc.
    038dResmed Ltd
    038eCrownstone B.V.
    038fXiaomi Inc.
    0390INFOTECH s.r.o.
    0391Thingsquare AB
    0392T&D
    0393LAVAZZA S.p.A.
    0394Netclearance Systems, Inc.
    0395SDATAWAY
    0396BLOKS GmbH
    0397LEGO System A/S
    0398Thetatronics Ltd
    0399Nikon Corporation
    039aNeST
    039bSouth Silicon Valley Microelectronics
    039cALE International
    039dCareView Communications, Inc.
    039eSchoolBoard Limited
    039fMolex Corporation
    03a0IVT Wireless Limited
    03a1Alpine Labs LLC
    03a2Candura Instruments
    03a3SmartMovt Technology Co., Ltd
    03a4Token Zero Ltd
    03a5ACE CAD Enterprise Co., Ltd. (ACECAD)
    03a6Medela, Inc
    03a7AeroScout
    03a8Esrille Inc.
    03a9THINKERLY SRL
    03aaExon Sp. z o.o.
    03abMeizu Technology Co., Ltd.
    03acSmablo LTD
    03adXiQ
    03aeAllswell Inc.
    03afComm-N-Sense Corp DBA Verigo
    03b0VIBRADORM GmbH
    03b1Otodata Wireless Network Inc.
    03b2Propagation Systems Limited
    03b3Midwest Instruments & Controls
    03b4Alpha Nodus, inc.
    03b5petPOMM, Inc
    03b6Mattel
    03b7Airbly Inc.
    03b8A-Safe Limited
    03b9FREDERIQUE CONSTANT SA
    03baMaxscend Microelectronics Company Limited
    03bbAbbott
    03bcASB Bank Ltd
    03bdamadas
    03beApplied Science, Inc.
    03bfiLumi Solutions Inc.
    03c0Arch Systems Inc.
    03c1Ember Technologies, Inc.
    03c2Snapchat Inc
    03c3Casambi Technologies Oy
    03c4Pico Technology Inc.
    03c5St. Jude Medical, Inc.
    03c6Intricon
    03c7Structural Health Systems, Inc.
    03c8Avvel International
    03c9Gallagher Group
    03caIn2things Automation Pvt. Ltd.
    03cbSYSDEV Srl
    03ccVonkil Technologies Ltd
    03cdWynd Technologies, Inc.
    03ceCONTRINEX S.A.
    03cfMIRA, Inc.
    03d0Watteam Ltd
    03d1Density Inc.
    03d2IOT Pot India Private Limited
    03d3Sigma Connectivity AB
    03d4PEG PEREGO SPA
    03d5Wyzelink Systems Inc.
    03d6Yota Devices LTD
    03d7FINSECUR
    03d8Zen-Me Labs Ltd
    03d93IWare Co., Ltd.
    03daEnOcean GmbH
    03dbInstabeat, Inc
    03dcNima Labs
    03ddAndreas Stihl AG & Co. KG
    03deNathan Rhoades LLC
    03dfGrob Technologies, LLC
    03e0Actions (Zhuhai) Technology Co., Limited
    03e1SPD Development Company Ltd
    03e2Sensoan Oy
    03e3Qualcomm Life Inc
    03e4Chip-ing AG
    03e5ffly4u
    03e6IoT Instruments Oy
    03e7TRUE Fitness Technology
    03e8Reiner Kartengeraete GmbH & Co. KG.
    03e9SHENZHEN LEMONJOY TECHNOLOGY CO., LTD.
    03eaHello Inc.
    03ebOzo Edu, Inc.
    03ecJigowatts Inc.
    03edBASIC MICRO.COM,INC.
    03eeCUBE TECHNOLOGIES
    03effoolography GmbH
    03f0CLINK
    03f1Hestan Smart Cooking Inc.
    03f2WindowMaster A/S
    03f3Flowscape AB
    03f4PAL Technologies Ltd
    03f5WHERE, Inc.
    03f6Iton Technology Corp.
    03f7Owl Labs Inc.
    03f8Rockford Corp.
    03f9Becon Technologies Co.,Ltd.
    03faVyassoft Technologies Inc
    03fbNox Medical
    03fcKimberly-Clark
    03fdTrimble Inc.
    03feLittelfuse
    03ffWithings
    0400i-developer IT Beratung UG
    0401Relations Inc.
    0402Sears Holdings Corporation
    0403Gantner Electronic GmbH
    0404Authomate Inc
    0405Vertex International, Inc.
    0406Airtago
    0407Swiss Audio SA
    0408ToGetHome Inc.
    0409RYSE INC.
    040aZF OPENMATICS s.r.o.
    040bJana Care Inc.
    040cSenix Corporation
    040dNorthStar Battery Company, LLC
    040eSKF (U.K.) Limited
    040fCO-AX Technology, Inc.
    0410Fender Musical Instruments
    0411Luidia Inc
    0412SEFAM
    0413Wireless Cables Inc
    0414Lightning Protection International Pty Ltd
    0415Uber Technologies Inc
    0416SODA GmbH
    0417Fatigue Science
    0418Reserved
    0419Novalogy LTD
    041aFriday Labs Limited
    041bOrthoAccel Technologies
    041cWaterGuru, Inc.
    041dBenning Elektrotechnik und Elektronik GmbH & Co. KG
    041eDell Computer Corporation
    041fKopin Corporation
    0420TecBakery GmbH
    0421Backbone Labs, Inc.
    0422DELSEY SA
    0423Chargifi Limited
    0424Trainesense Ltd.
    0425Unify Software and Solutions GmbH & Co. KG
    0426Husqvarna AB
    0427Focus fleet and fuel management inc
    0428SmallLoop, LLC
    0429Prolon Inc.
    042aBD Medical
    042biMicroMed Incorporated
    042cTicto N.V.
    042dMeshtech AS
    042eMemCachier Inc.
    042fDanfoss A/S
    0430SnapStyk Inc.
    0431Alticor Inc.
    0432Silk Labs, Inc.
    0433Pillsy Inc.
    0434Hatch Baby, Inc.
    0435Blocks Wearables Ltd.
    0436Drayson Technologies (Europe) Limited
    0437eBest IOT Inc.
    0438Helvar Ltd
    0439Radiance Technologies
    043aNuheara Limited
    043bAppside co., ltd.
    043cDeLaval
    043dCoiler Corporation
    043eThermomedics, Inc.
    043fTentacle Sync GmbH
    0440Valencell, Inc.
    0441iProtoXi Oy
    0442SECOM CO., LTD.
    0443Tucker International LLC
    0444Metanate Limited
    0445Kobian Canada Inc.
    0446NETGEAR, Inc.
    0447Fabtronics Australia Pty Ltd
    0448Grand Centrix GmbH
    04491UP USA.com llc
    044aSHIMANO INC.
    044bNain Inc.
    044cLifeStyle Lock, LLC
    044dVEGA Grieshaber KG
    044eXtrava Inc.
    044fTTS Tooltechnic Systems AG & Co. KG
    0450Teenage Engineering AB
    0451Tunstall Nordic AB
    0452Svep Design Center AB
    0453Qorvo Utrecht B.V.
    0454Sphinx Electronics GmbH & Co KG
    0455Atomation
    0456Nemik Consulting Inc
    0457RF INNOVATION
    0458Mini Solution Co., Ltd.
    0459Lumenetix, Inc
    045a2048450 Ontario Inc
    045bSPACEEK LTD
    045cDelta T Corporation
    045dBoston Scientific Corporation
    045eNuviz, Inc.
    045fReal Time Automation, Inc.
    0460Kolibree
    0461vhf elektronik GmbH
    0462Bonsai Systems GmbH
    0463Fathom Systems Inc.
    0464Bellman & Symfon
    0465International Forte Group LLC
    0466CycleLabs Solutions inc.
    0467Codenex Oy
    0468Kynesim Ltd
    0469Palago AB
    046aINSIGMA INC.
    046bPMD Solutions
    046cQingdao Realtime Technology Co., Ltd.
    046dBEGA Gantenbrink-Leuchten KG
    046ePambor Ltd.
    046fDevelco Products A/S
    0470iDesign s.r.l.
    0471TiVo Corp
    0472Control-J Pty Ltd
    0473Steelcase, Inc.
    0474iApartment co., ltd.
    0475Icom inc.
    0476Oxstren Wearable Technologies Private Limited
    0477Blue Spark Technologies
    0478FarSite Communications Limited
    0479mywerk system GmbH
    047aSinosun Technology Co., Ltd.
    047bMIYOSHI ELECTRONICS CORPORATION
    047cPOWERMAT LTD
    047dOccly LLC
    047eOurHub Dev IvS
    047fPro-Mark, Inc.
    0480Dynometrics Inc.
    0481Quintrax Limited
    0482POS Tuning Udo Vosshenrich GmbH & Co. KG
    0483Multi Care Systems B.V.
    0484Revol Technologies Inc
    0485SKIDATA AG
    0486DEV TECNOLOGIA INDUSTRIA, COMERCIO E MANUTENCAO DE EQUIPAMENTOS LTDA. - ME
    0487Centrica Connected Home
    0488Automotive Data Solutions Inc
    0489Igarashi Engineering
    048aTaelek Oy
    048bCP Electronics Limited
    048cVectronix AG
    048dS-Labs Sp. z o.o.
    048eCompanion Medical, Inc.
    048fBlueKitchen GmbH
    0490Matting AB
    0491SOREX - Wireless Solutions GmbH
    0492ADC Technology, Inc.
    0493Lynxemi Pte Ltd
    0494SENNHEISER electronic GmbH & Co. KG
    0495LMT Mercer Group, Inc
    0496Polymorphic Labs LLC
    0497Cochlear Limited
    0498METER Group, Inc. USA
    0499Ruuvi Innovations Ltd.
    049aSitune AS
    049bnVisti, LLC
    049cDyOcean
    049dUhlmann & Zacher GmbH
    049eAND!XOR LLC
    049fPopper Pay AB
    04a0Vypin, LLC
    04a1PNI Sensor Corporation
    04a2ovrEngineered, LLC
    04a3GT-tronics HK Ltd
    04a4Herbert Waldmann GmbH & Co. KG
    04a5Guangzhou FiiO Electronics Technology Co.,Ltd
    04a6Vinetech Co., Ltd
    04a7Dallas Logic Corporation
    04a8BioTex, Inc.
    04a9DISCOVERY SOUND TECHNOLOGY, LLC
    04aaLINKIO SAS
    04abHarbortronics, Inc.
    04acUndagrid B.V.
    04adShure Inc
    04aeERM Electronic Systems LTD
    04afBIOROWER Handelsagentur GmbH
    04b0Weba Sport und Med. Artikel GmbH
    04b1Kartographers Technologies Pvt. Ltd.
    04b2The Shadow on the Moon
    04b3mobike (Hong Kong) Limited
    04b4Inuheat Group AB
    04b5Swiftronix AB
    04b6Diagnoptics Technologies
    04b7Analog Devices, Inc.
    04b8Soraa Inc.
    04b9CSR Building Products Limited
    04baCrestron Electronics, Inc.
    04bbNeatebox Ltd
    04bcDraegerwerk AG & Co. KGaA
    04bdAlbynMedical
    04beAveros FZCO
    04bfVIT Initiative, LLC
    04c0Statsports International
    04c1Sospitas, s.r.o.
    04c2Dmet Products Corp.
    04c3Mantracourt Electronics Limited
    04c4TeAM Hutchins AB
    04c5Seibert Williams Glass, LLC
    04c6Insta GmbH
    04c7Svantek Sp. z o.o.
    04c8Shanghai Flyco Electrical Appliance Co., Ltd.
    04c9Thornwave Labs Inc
    04caSteiner-Optik GmbH
    04cbNovo Nordisk A/S
    04ccEnflux Inc.
    04cdSafetech Products LLC
    04ceGOOOLED S.R.L.
    04cfDOM Sicherheitstechnik GmbH & Co. KG
    04d0Olympus Corporation
    04d1KTS GmbH
    04d2Anloq Technologies Inc.
    04d3Queercon, Inc
    04d45th Element Ltd
    04d5Gooee Limited
    04d6LUGLOC LLC
    04d7Blincam, Inc.
    04d8FUJIFILM Corporation
    04d9RM Acquisition LLC
    04daFranceschi Marina snc
    04dbEngineered Audio, LLC.
    04dcIOTTIVE (OPC) PRIVATE LIMITED
    04dd4MOD Technology
    04deLutron Electronics Co., Inc.
    04dfEmerson Electric Co.
    04e0Guardtec, Inc.
    04e1REACTEC LIMITED
    04e2EllieGrid
    04e3Under Armour
    04e4Woodenshark
    04e5Avack Oy
    04e6Smart Solution Technology, Inc.
    04e7REHABTRONICS INC.
    04e8STABILO International
    04e9Busch Jaeger Elektro GmbH
    04eaPacific Bioscience Laboratories, Inc
    04ebBird Home Automation GmbH
    04ecMotorola Solutions
    04edR9 Technology, Inc.
    04eeAuxivia
    04efDaisyWorks, Inc
    04f0Kosi Limited
    04f1Theben AG
    04f2InDreamer Techsol Private Limited
    04f3Cerevast Medical
    04f4ZanCompute Inc.
    04f5Pirelli Tyre S.P.A.
    04f6McLear Limited
    04f7Shenzhen Goodix Technology Co., Ltd
    04f8Convergence Systems Limited
    04f9Interactio
    04faAndrotec GmbH
    04fbBenchmark Drives GmbH & Co. KG
    04fcSwingLync L. L. C.
    04fdTapkey GmbH
    04feWoosim Systems Inc.
    04ffMicrosemi Corporation
    0500Wiliot LTD.
    0501Polaris IND
    0502Specifi-Kali LLC
    0503Locoroll, Inc
    0504PHYPLUS Inc
    0505InPlay, Inc.
    0506Hager
    0507Yellowcog
    0508Axes System sp. z o. o.
    0509Garage Smart, Inc.
    050aShake-on B.V.
    050bVibrissa Inc.
    050cOSRAM GmbH
    050dTRSystems GmbH
    050eYichip Microelectronics (Hangzhou) Co.,Ltd.
    050fFoundation Engineering LLC
    0510UNI-ELECTRONICS, INC.
    0511Brookfield Equinox LLC
    0512Soprod SA
    05139974091 Canada Inc.
    0514FIBRO GmbH
    0515RB Controls Co., Ltd.
    0516Footmarks
    0517Amtronic Sverige AB
    0518MAMORIO.inc
    0519Tyto Life LLC
    051aLeica Camera AG
    051bAngee Technologies Ltd.
    051cEDPS
    051dOFF Line Co., Ltd.
    051eDetect Blue Limited
    051fSetec Pty Ltd
    0520Target Corporation
    0521IAI Corporation
    0522NS Tech, Inc.
    0523MTG Co., Ltd.
    0524Hangzhou iMagic Technology Co., Ltd
    0525HONGKONG NANO IC TECHNOLOGIES CO., LIMITED
    0526Honeywell International Inc.
    0527Albrecht JUNG
    0528Lunera Lighting Inc.
    0529Lumen UAB
    052aKeynes Controls Ltd
    052bNovartis AG
    052cGeosatis SA
    052dEXFO, Inc.
    052eLEDVANCE GmbH
    052fCenter ID Corp.
    0530Adolene, Inc.
    0531D&M Holdings Inc.
    0532CRESCO Wireless, Inc.
    0533Nura Operations Pty Ltd
    0534Frontiergadget, Inc.
    0535Smart Component Technologies Limited
    0536ZTR Control Systems LLC
    0537MetaLogics Corporation
    0538Medela AG
    0539OPPLE Lighting Co., Ltd
    053aSavitech Corp.,
    053bprodigy
    053cScreenovate Technologies Ltd
    053dTESA SA
    053eCLIM8 LIMITED
    053fSilergy Corp
    0540SilverPlus, Inc
    0541Sharknet srl
    0542Mist Systems, Inc.
    0543MIWA LOCK CO.,Ltd
    0544OrthoSensor, Inc.
    0545Candy Hoover Group s.r.l
    0546Apexar Technologies S.A.
    0547LOGICDATA Electronic & Software Entwicklungs GmbH
    0548Knick Elektronische Messgeraete GmbH & Co. KG
    0549Smart Technologies and Investment Limited
    054aLinough Inc.
    054bAdvanced Electronic Designs, Inc.
    054cCarefree Scott Fetzer Co Inc
    054dSensome
    054eFORTRONIK storitve d.o.o.
    054fSinnoz
    0550Versa Networks, Inc.
    0551Sylero
    0552Avempace SARL
    0553Nintendo Co., Ltd.
    0554National Instruments
    0555KROHNE Messtechnik GmbH
    0556Otodynamics Ltd
    0557Arwin Technology Limited
    0558benegear, inc.
    0559Newcon Optik
    055aCANDY HOUSE, Inc.
    055bFRANKLIN TECHNOLOGY INC
    055cLely
    055dValve Corporation
    055eHekatron Vertriebs GmbH
    055fPROTECH S.A.S. DI GIRARDI ANDREA & C.
    0560Sarita CareTech APS
    0561Finder S.p.A.
    0562Thalmic Labs Inc.
    0563Steinel Vertrieb GmbH
    0564Beghelli Spa
    0565Beijing Smartspace Technologies Inc.
    0566CORE TRANSPORT TECHNOLOGIES NZ LIMITED
    0567Xiamen Everesports Goods Co., Ltd
    0568Bodyport Inc.
    0569Audionics System, INC.
    056aFlipnavi Co.,Ltd.
    056bRion Co., Ltd.
    056cLong Range Systems, LLC
    056dRedmond Industrial Group LLC
    056eVIZPIN INC.
    056fBikeFinder AS
    0570Consumer Sleep Solutions LLC
    0571PSIKICK, INC.
    0572AntTail.com
    0573Lighting Science Group Corp.
    0574AFFORDABLE ELECTRONICS INC
    0575Integral Memroy Plc
    0576Globalstar, Inc.
    0577True Wearables, Inc.
    0578Wellington Drive Technologies Ltd
    0579Ensemble Tech Private Limited
    057aOMNI Remotes
    057bDuracell U.S. Operations Inc.
    057cToor Technologies LLC
    057dInstinct Performance
    057eBeco, Inc
    057fScuf Gaming International, LLC
    0580ARANZ Medical Limited
    0581LYS TECHNOLOGIES LTD
    0582Breakwall Analytics, LLC
    0583Code Blue Communications
    0584Gira Giersiepen GmbH & Co. KG
    0585Hearing Lab Technology
    0586LEGRAND
    0587Derichs GmbH
    0588ALT-TEKNIK LLC
    0589Star Technologies
    058aSTART TODAY CO.,LTD.
    058bMaxim Integrated Products
    058cFracarro Radioindustrie SRL
    058dJungheinrich Aktiengesellschaft
    058eMeta Platforms Technologies, LLC
    058fHENDON SEMICONDUCTORS PTY LTD
    0590Pur3 Ltd
    0591Viasat Group S.p.A.
    0592IZITHERM
    0593Spaulding Clinical Research
    0594Kohler Company
    0595Inor Process AB
    0596My Smart Blinds
    0597RadioPulse Inc
    0598rapitag GmbH
    0599Lazlo326, LLC.
    059aTeledyne Lecroy, Inc.
    059bDataflow Systems Limited
    059cMacrogiga Electronics
    059dTandem Diabetes Care
    059ePolycom, Inc.
    059fFisher & Paykel Healthcare
    05a0RCP Software Oy
    05a1Shanghai Xiaoyi Technology Co.,Ltd.
    05a2ADHERIUM(NZ) LIMITED
    05a3Axiomware Systems Incorporated
    05a4O. E. M. Controls, Inc.
    05a5Kiiroo BV
    05a6Telecon Mobile Limited
    05a7Sonos Inc
    05a8Tom Allebrandi Consulting
    05a9Monidor
    05aaTramex Limited
    05abNofence AS
    05acGoerTek Dynaudio Co., Ltd.
    05adINIA
    05aeCARMATE MFG.CO.,LTD
    05afOV LOOP, INC.
    05b0NewTec GmbH
    05b1Medallion Instrumentation Systems
    05b2CAREL INDUSTRIES S.P.A.
    05b3Parabit Systems, Inc.
    05b4White Horse Scientific ltd
    05b5verisilicon
    05b6Elecs Industry Co.,Ltd.
    05b7Beijing Pinecone Electronics Co.,Ltd.
    05b8Ambystoma Labs Inc.
    05b9Suzhou Pairlink Network Technology
    05baigloohome
    05bbOxford Metrics plc
    05bcLeviton Mfg. Co., Inc.
    05bdULC Robotics Inc.
    05beRFID Global by Softwork SrL
    05bfReal-World-Systems Corporation
    05c0Nalu Medical, Inc.
    05c1P.I.Engineering
    05c2Grote Industries
    05c3Runtime, Inc.
    05c4Codecoup sp. z o.o. sp. k.
    05c5SELVE GmbH & Co. KG
    05c6Smart Animal Training Systems, LLC
    05c7Lippert Components, INC
    05c8SOMFY SAS
    05c9TBS Electronics B.V.
    05caMHL Custom Inc
    05cbLucentWear LLC
    05ccWATTS ELECTRONICS
    05cdRJ Brands LLC
    05ceV-ZUG Ltd
    05cfBiowatch SA
    05d0Anova Applied Electronics
    05d1Lindab AB
    05d2frogblue TECHNOLOGY GmbH
    05d3Acurable Limited
    05d4LAMPLIGHT Co., Ltd.
    05d5TEGAM, Inc.
    05d6Zhuhai Jieli technology Co.,Ltd
    05d7modum.io AG
    05d8Farm Jenny LLC
    05d9Toyo Electronics Corporation
    05daApplied Neural Research Corp
    05dbAvid Identification Systems, Inc.
    05dcPetronics Inc.
    05ddessentim GmbH
    05deQT Medical INC.
    05dfVIRTUALCLINIC.DIRECT LIMITED
    05e0Viper Design LLC
    05e1Human, Incorporated
    05e2stAPPtronics GmbH
    05e3Elemental Machines, Inc.
    05e4Taiyo Yuden Co., Ltd
    05e5INEO ENERGY& SYSTEMS
    05e6Motion Instruments Inc.
    05e7PressurePro
    05e8COWBOY
    05e9iconmobile GmbH
    05eaACS-Control-System GmbH
    05ebBayerische Motoren Werke AG
    05ecGycom Svenska AB
    05edFuji Xerox Co., Ltd
    05eeWristcam Inc.
    05efSIKOM AS
    05f0beken
    05f1The Linux Foundation
    05f2Try and E CO.,LTD.
    05f3SeeScan
    05f4Clearity, LLC
    05f5GS TAG
    05f6DPTechnics
    05f7TRACMO, INC.
    05f8Anki Inc.
    05f9Hagleitner Hygiene International GmbH
    05faKonami Sports Life Co., Ltd.
    05fbArblet Inc.
    05fcMasbando GmbH
    05fdInnoseis
    05feNiko nv
    05ffWellnomics Ltd
    0600iRobot Corporation
    0601Schrader Electronics
    0602Geberit International AG
    0603Fourth Evolution Inc
    0604Cell2Jack LLC
    0605FMW electronic Futterer u. Maier-Wolf OHG
    0606John Deere
    0607Rookery Technology Ltd
    0608KeySafe-Cloud
    0609BUCHI Labortechnik AG
    060aIQAir AG
    060bTriax Technologies Inc
    060cVuzix Corporation
    060dTDK Corporation
    060eBlueair AB
    060fSignify Netherlands B.V.
    0610ADH GUARDIAN USA LLC
    0611Beurer GmbH
    0612Playfinity AS
    0613Hans Dinslage GmbH
    0614OnAsset Intelligence, Inc.
    0615INTER ACTION Corporation
    0616OS42 UG (haftungsbeschraenkt)
    0617WIZCONNECTED COMPANY LIMITED
    0618Audio-Technica Corporation
    0619Six Guys Labs, s.r.o.
    061aR.W. Beckett Corporation
    061bsilex technology, inc.
    061cUnivations Limited
    061dSENS Innovation ApS
    061eDiamond Kinetics, Inc.
    061fPhrame Inc.
    0620Forciot Oy
    0621Noordung d.o.o.
    0622Beam Labs, LLC
    0623Philadelphia Scientific (U.K.) Limited
    0624Biovotion AG
    0625Square Panda, Inc.
    0626Amplifico
    0627WEG S.A.
    0628Ensto Oy
    0629PHONEPE PVT LTD
    062aLunatico Astronomia SL
    062bMinebeaMitsumi Inc.
    062cASPion GmbH
    062dVossloh-Schwabe Deutschland GmbH
    062eProcept
    062fONKYO Corporation
    0630Asthrea D.O.O.
    0631Fortiori Design LLC
    0632Hugo Muller GmbH & Co KG
    0633Wangi Lai PLT
    0634Fanstel Corp
    0635Crookwood
    0636ELECTRONICA INTEGRAL DE SONIDO S.A.
    0637GiP Innovation Tools GmbH
    0638LX SOLUTIONS PTY LIMITED
    0639Shenzhen Minew Technologies Co., Ltd.
    063aProlojik Limited
    063bKromek Group Plc
    063cContec Medical Systems Co., Ltd.
    063dXradio Technology Co.,Ltd.
    063eThe Indoor Lab, LLC
    063fLDL TECHNOLOGY
    0640Dish Network LLC
    0641Revenue Collection Systems FRANCE SAS
    0642Bluetrum Technology Co.,Ltd
    0643makita corporation
    0644Apogee Instruments
    0645BM3
    0646SGV Group Holding GmbH & Co. KG
    0647MED-EL
    0648Ultune Technologies
    0649Ryeex Technology Co.,Ltd.
    064aOpen Research Institute, Inc.
    064bScale-Tec, Ltd
    064cZumtobel Group AG
    064diLOQ Oy
    064eKRUXWorks Technologies Private Limited
    064fDigital Matter Pty Ltd
    0650Coravin, Inc.
    0651Stasis Labs, Inc.
    0652ITZ Innovations- und Technologiezentrum GmbH
    0653Meggitt SA
    0654Ledlenser GmbH & Co. KG
    0655Renishaw PLC
    0656ZhuHai AdvanPro Technology Company Limited
    0657Meshtronix Limited
    0658Payex Norge AS
    0659UnSeen Technologies Oy
    065aZound Industries International AB
    065bSesam Solutions BV
    065cPixArt Imaging Inc.
    065dPanduit Corp.
    065eAlo AB
    065fRicoh Company Ltd
    0660RTC Industries, Inc.
    0661Mode Lighting Limited
    0662Particle Industries, Inc.
    0663Advanced Telemetry Systems, Inc.
    0664RHA TECHNOLOGIES LTD
    0665Pure International Limited
    0666WTO Werkzeug-Einrichtungen GmbH
    0667Spark Technology Labs Inc.
    0668Bleb Technology srl
    0669Livanova USA, Inc.
    066aBrady Worldwide Inc.
    066bDewertOkin GmbH
    066cZtove ApS
    066dVenso EcoSolutions AB
    066eEurotronik Kranj d.o.o.
    066fHug Technology Ltd
    0670Gema Switzerland GmbH
    0671Buzz Products Ltd.
    0672Kopi
    0673Innova Ideas Limited
    0674BeSpoon
    0675Deco Enterprises, Inc.
    0676Expai Solutions Private Limited
    0677Innovation First, Inc.
    0678SABIK Offshore GmbH
    06794iiii Innovations Inc.
    067aThe Energy Conservatory, Inc.
    067bI.FARM, INC.
    067cTile, Inc.
    067dForm Athletica Inc.
    067eMbientLab Inc
    067fNETGRID S.N.C. DI BISSOLI MATTEO, CAMPOREALE SIMONE, TOGNETTI FEDERICO
    0680Mannkind Corporation
    0681Trade FIDES a.s.
    0682Photron Limited
    0683Eltako GmbH
    0684Dermalapps, LLC
    0685Greenwald Industries
    0686inQs Co., Ltd.
    0687Cherry GmbH
    0688Amsted Digital Solutions Inc.
    0689Tacx b.v.
    068aRaytac Corporation
    068bJiangsu Teranovo Tech Co., Ltd.
    068cChangzhou Sound Dragon Electronics and Acoustics Co., Ltd
    068dJetBeep Inc.
    068eRazer Inc.
    068fJRM Group Limited
    0690Eccrine Systems, Inc.
    0691Curie Point AB
    0692Georg Fischer AG
    0693Hach - Danaher
    0694T&A Laboratories LLC
    0695Koki Holdings Co., Ltd.
    0696Gunakar Private Limited
    0697Stemco Products Inc
    0698Wood IT Security, LLC
    0699RandomLab SAS
    069aAdero, Inc.
    069bDragonchip Limited
    069cNoomi AB
    069dVakaros LLC
    069eDelta Electronics, Inc.
    069fFlowMotion Technologies AS
    06a0OBIQ Location Technology Inc.
    06a1Cardo Systems, Ltd
    06a2Globalworx GmbH
    06a3Nymbus, LLC
    06a4LIMNO Co. Ltd.
    06a5TEKZITEL PTY LTD
    06a6Roambee Corporation
    06a7Chipsea Technologies (ShenZhen) Corp.
    06a8GD Midea Air-Conditioning Equipment Co., Ltd.
    06a9Soundmax Electronics Limited
    06aaProdual Oy
    06abHMS Industrial Networks AB
    06acIngchips Technology Co., Ltd.
    06adInnovaSea Systems Inc.
    06aeSenseQ Inc.
    06afShoof Technologies
    06b0BRK Brands, Inc.
    06b1SimpliSafe, Inc.
    06b2Tussock Innovation 2013 Limited
    06b3The Hablab ApS
    06b4Sencilion Oy
    06b5Wabilogic Ltd.
    06b6Sociometric Solutions, Inc.
    06b7iCOGNIZE GmbH
    06b8ShadeCraft, Inc
    06b9Beflex Inc.
    06baBeaconzone Ltd
    06bbLeaftronix Analogic Solutions Private Limited
    06bcTWS Srl
    06bdABB Oy
    06beHitSeed Oy
    06bfDelcom Products Inc.
    06c0CAME S.p.A.
    06c1Alarm.com Holdings, Inc
    06c2Measurlogic Inc.
    06c3King I Electronics.Co.,Ltd
    06c4Dream Labs GmbH
    06c5Urban Compass, Inc
    06c6Simm Tronic Limited
    06c7Somatix Inc
    06c8Storz & Bickel GmbH & Co. KG
    06c9MYLAPS B.V.
    06caShenzhen Zhongguang Infotech Technology Development Co., Ltd
    06cbDyeware, LLC
    06ccDongguan SmartAction Technology Co.,Ltd.
    06cdDIG Corporation
    06ceFIOR & GENTZ
    06cfBelparts N.V.
    06d0Etekcity Corporation
    06d1Meyer Sound Laboratories, Incorporated
    06d2CeoTronics AG
    06d3TriTeq Lock and Security, LLC
    06d4DYNAKODE TECHNOLOGY PRIVATE LIMITED
    06d5Sensirion AG
    06d6JCT Healthcare Pty Ltd
    06d7FUBA Automotive Electronics GmbH
    06d8AW Company
    06d9Shanghai Mountain View Silicon Co.,Ltd.
    06daZliide Technologies ApS
    06dbAutomatic Labs, Inc.
    06dcIndustrial Network Controls, LLC
    06ddIntellithings Ltd.
    06deNavcast, Inc.
    06dfHLI Solutions Inc.
    06e0Avaya Inc.
    06e1Milestone AV Technologies LLC
    06e2Alango Technologies Ltd
    06e3Spinlock Ltd
    06e4Aluna
    06e5OPTEX CO.,LTD.
    06e6NIHON DENGYO KOUSAKU
    06e7VELUX A/S
    06e8Almendo Technologies GmbH
    06e9Zmartfun Electronics, Inc.
    06eaSafeLine Sweden AB
    06ebHouston Radar LLC
    06ecSigur
    06edJ Neades Ltd
    06eeAvantis Systems Limited
    06efALCARE Co., Ltd.
    06f0Chargy Technologies, SL
    06f1Shibutani Co., Ltd.
    06f2Trapper Data AB
    06f3Alfred International Inc.
    06f4Touché Technology Ltd
    06f5Vigil Technologies Inc.
    06f6Vitulo Plus BV
    06f7WILKA Schliesstechnik GmbH
    06f8BodyPlus Technology Co.,Ltd
    06f9happybrush GmbH
    06faEnequi AB
    06fbSartorius AG
    06fcTom Communication Industrial Co.,Ltd.
    06fdESS Embedded System Solutions Inc.
    06feMahr GmbH
    06ffRedpine Signals Inc
    0700TraqFreq LLC
    0701PAFERS TECH
    0702Akciju sabiedriba "SAF TEHNIKA"
    0703Beijing Jingdong Century Trading Co., Ltd.
    0704JBX Designs Inc.
    0705AB Electrolux
    0706Wernher von Braun Center for ASdvanced Research
    0707Essity Hygiene and Health Aktiebolag
    0708Be Interactive Co., Ltd
    0709Carewear Corp.
    070aHuf Hülsbeck & Fürst GmbH & Co. KG
    070bElement Products, Inc.
    070cBeijing Winner Microelectronics Co.,Ltd
    070dSmartSnugg Pty Ltd
    070eFiveCo Sarl
    070fCalifornia Things Inc.
    0710Audiodo AB
    0711ABAX AS
    0712Bull Group Company Limited
    0713Respiri Limited
    0714MindPeace Safety LLC
    0715MBARC LABS Inc
    0716Altonics
    0717iQsquare BV
    0718IDIBAIX enginneering
    0719COREIOT PTY LTD
    071aREVSMART WEARABLE HK CO LTD
    071bPrecor
    071cF5 Sports, Inc
    071dexoTIC Systems
    071eDONGGUAN HELE ELECTRONICS CO., LTD
    071fDongguan Liesheng Electronic Co.Ltd
    0720Oculeve, Inc.
    0721Clover Network, Inc.
    0722Xiamen Eholder Electronics Co.Ltd
    0723Ford Motor Company
    0724Guangzhou SuperSound Information Technology Co.,Ltd
    0725Tedee Sp. z o.o.
    0726PHC Corporation
    0727STALKIT AS
    0728Eli Lilly and Company
    0729SwaraLink Technologies
    072aJMR embedded systems GmbH
    072bBitkey Inc.
    072cGWA Hygiene GmbH
    072dSafera Oy
    072eOpen Platform Systems LLC
    072fOnePlus Electronics (Shenzhen) Co., Ltd.
    0730Wildlife Acoustics, Inc.
    0731ABLIC Inc.
    0732Dairy Tech, Inc.
    0733Iguanavation, Inc.
    0734DiUS Computing Pty Ltd
    0735UpRight Technologies LTD
    0736Luna XIO, Inc.
    0737LLC Navitek
    0738Glass Security Pte Ltd
    0739Jiangsu Qinheng Co., Ltd.
    073aChandler Systems Inc.
    073bFantini Cosmi s.p.a.
    073cAcubit ApS
    073dBeijing Hao Heng Tian Tech Co., Ltd.
    073eBluepack S.R.L.
    073fBeijing Unisoc Technologies Co., Ltd.
    0740HITIQ LIMITED
    0741MAC SRL
    0742DML LLC
    0743Sanofi
    0744SOCOMEC
    0745WIZNOVA, Inc.
    0746Seitec Elektronik GmbH
    0747OR Technologies Pty Ltd
    0748GuangZhou KuGou Computer Technology Co.Ltd
    0749DIAODIAO (Beijing) Technology Co., Ltd.
    074aIllusory Studios LLC
    074bSarvavid Software Solutions LLP
    074ciopool s.a.
    074dAmtech Systems, LLC
    074eEAGLE DETECTION SA
    074fMEDIATECH S.R.L.
    0750Hamilton Professional Services of Canada Incorporated
    0751Changsha JEMO IC Design Co.,Ltd
    0752Elatec GmbH
    0753JLG Industries, Inc.
    0754Michael Parkin
    0755Brother Industries, Ltd
    0756Lumens For Less, Inc
    0757ELA Innovation
    0758umanSense AB
    0759Shanghai InGeek Cyber Security Co., Ltd.
    075aHARMAN CO.,LTD.
    075bSmart Sensor Devices AB
    075cAntitronics Inc.
    075dRHOMBUS SYSTEMS, INC.
    075eKaterra Inc.
    075fRemote Solution Co., LTD.
    0760Vimar SpA
    0761Mantis Tech LLC
    0762TerOpta Ltd
    0763PIKOLIN S.L.
    0764WWZN Information Technology Company Limited
    0765Voxx International
    0766ART AND PROGRAM, INC.
    0767NITTO DENKO ASIA TECHNICAL CENTRE PTE. LTD.
    0768Peloton Interactive Inc.
    0769Force Impact Technologies
    076aDmac Mobile Developments, LLC
    076bEngineered Medical Technologies
    076cNoodle Technology inc
    076dGraesslin GmbH
    076eWuQi technologies, Inc.
    076fSuccessful Endeavours Pty Ltd
    0770InnoCon Medical ApS
    0771Corvex Connected Safety
    0772Thirdwayv Inc.
    0773Echoflex Solutions Inc.
    0774C-MAX Asia Limited
    07754eBusiness GmbH
    0776Cyber Transport Control GmbH
    0777Cue
    0778KOAMTAC INC.
    0779Loopshore Oy
    077aNiruha Systems Private Limited
    077bAmaterZ, Inc.
    077cradius co., ltd.
    077dSensority, s.r.o.
    077eSparkage Inc.
    077fGlenview Software Corporation
    0780Finch Technologies Ltd.
    0781Qingping Technology (Beijing) Co., Ltd.
    0782DeviceDrive AS
    0783ESEMBER LIMITED LIABILITY COMPANY
    0784audifon GmbH & Co. KG
    0785O2 Micro, Inc.
    0786HLP Controls Pty Limited
    0787Pangaea Solution
    0788BubblyNet, LLC
    0789PCB Piezotronics, Inc.
    078aThe Wildflower Foundation
    078bOptikam Tech Inc.
    078cMINIBREW HOLDING B.V
    078dCybex GmbH
    078eFUJIMIC NIIGATA, INC.
    078fHanna Instruments, Inc.
    0790KOMPAN A/S
    0791Scosche Industries, Inc.
    0792Cricut, Inc.
    0793AEV spol. s r.o.
    0794The Coca-Cola Company
    0795GASTEC CORPORATION
    0796StarLeaf Ltd
    0797Water-i.d. GmbH
    0798HoloKit, Inc.
    0799PlantChoir Inc.
    079aGuangDong Oppo Mobile Telecommunications Corp., Ltd.
    079bCST ELECTRONICS (PROPRIETARY) LIMITED
    079cSky UK Limited
    079dDigibale Pty Ltd
    079eSmartloxx GmbH
    079fPune Scientific LLP
    07a0Regent Beleuchtungskorper AG
    07a1Apollo Neuroscience, Inc.
    07a2Roku, Inc.
    07a3Comcast Cable
    07a4Xiamen Mage Information Technology Co., Ltd.
    07a5RAB Lighting, Inc.
    07a6Musen Connect, Inc.
    07a7Zume, Inc.
    07a8conbee GmbH
    07a9Bruel & Kjaer Sound & Vibration
    07aaThe Kroger Co.
    07abGranite River Solutions, Inc.
    07acLoupeDeck Oy
    07adNew H3C Technologies Co.,Ltd
    07aeAurea Solucoes Tecnologicas Ltda.
    07afHong Kong Bouffalo Lab Limited
    07b0GV Concepts Inc.
    07b1Thomas Dynamics, LLC
    07b2Moeco IOT Inc.
    07b32N TELEKOMUNIKACE a.s.
    07b4Hormann KG Antriebstechnik
    07b5CRONO CHIP, S.L.
    07b6Soundbrenner Limited
    07b7ETABLISSEMENTS GEORGES RENAULT
    07b8iSwip
    07b9Epona Biotec Limited
    07baBattery-Biz Inc.
    07bbEPIC S.R.L.
    07bcKD CIRCUITS LLC
    07bdGenedrive Diagnostics Ltd
    07beAxentia Technologies AB
    07bfREGULA Ltd.
    07c0Biral AG
    07c1A.W. Chesterton Company
    07c2Radinn AB
    07c3CIMTechniques, Inc.
    07c4Johnson Health Tech NA
    07c5June Life, Inc.
    07c6Bluenetics GmbH
    07c7iaconicDesign Inc.
    07c8WRLDS Creations AB
    07c9Skullcandy, Inc.
    07caModul-System HH AB
    07cbWest Pharmaceutical Services, Inc.
    07ccBarnacle Systems Inc.
    07cdSmart Wave Technologies Canada Inc
    07ceShanghai Top-Chip Microelectronics Tech. Co., LTD
    07cfNeoSensory, Inc.
    07d0Hangzhou Tuya Information Technology Co., Ltd
    07d1Shanghai Panchip Microelectronics Co., Ltd
    07d2React Accessibility Limited
    07d3LIVNEX Co.,Ltd.
    07d4Kano Computing Limited
    07d5hoots classic GmbH
    07d6ecobee Inc.
    07d7Nanjing Qinheng Microelectronics Co., Ltd
    07d8SOLUTIONS AMBRA INC.
    07d9Micro-Design, Inc.
    07daSTARLITE Co., Ltd.
    07dbRemedee Labs
    07dcThingOS GmbH & Co KG
    07ddLinear Circuits
    07deUnlimited Engineering SL
    07dfSnap-on Incorporated
    07e0Edifier International Limited
    07e1Lucie Labs
    07e2Alfred Kaercher SE & Co. KG
    07e3Airoha Technology Corp.
    07e4Geeksme S.L.
    07e5Minut, Inc.
    07e6Waybeyond Limited
    07e7Komfort IQ, Inc.
    07e8Packetcraft, Inc.
    07e9Häfele GmbH & Co KG
    07eaShapeLog, Inc.
    07ebNOVABASE S.R.L.
    07ecFrecce LLC
    07edJoule IQ, INC.
    07eeKidzTek LLC
    07efAktiebolaget Sandvik Coromant
    07f0e-moola.com Pty Ltd
    07f1Zimi Innovations Pty Ltd
    07f2SERENE GROUP, INC
    07f3DIGISINE ENERGYTECH CO. LTD.
    07f4MEDIRLAB Orvosbiologiai Fejleszto Korlatolt Felelossegu Tarsasag
    07f5Byton North America Corporation
    07f6Shenzhen TonliScience and Technology Development Co.,Ltd
    07f7Cesar Systems Ltd.
    07f8quip NYC Inc.
    07f9Direct Communication Solutions, Inc.
    07faKlipsch Group, Inc.
    07fbAccess Co., Ltd
    07fcRenault SA
    07fdJSK CO., LTD.
    07feBIROTA
    07ffmaxon motor ltd.
    0800Optek
    0801CRONUS ELECTRONICS LTD
    0802NantSound, Inc.
    0803Domintell s.a.
    0804Andon Health Co.,Ltd
    0805Urbanminded Ltd
    0806TYRI Sweden AB
    0807ECD Electronic Components GmbH Dresden
    0808SISTEMAS KERN, SOCIEDAD ANÓMINA
    0809Trulli Audio
    080aAltaneos
    080bNanoleaf Canada Limited
    080cIngy B.V.
    080dAzbil Co.
    080eTATTCOM LLC
    080fParadox Engineering SA
    0810LECO Corporation
    0811Becker Antriebe GmbH
    0812Mstream Technologies., Inc.
    0813Flextronics International USA Inc.
    0814Ossur hf.
    0815SKC Inc
    0816SPICA SYSTEMS LLC
    0817Wangs Alliance Corporation
    0818tatwah SA
    0819Hunter Douglas Inc
    081aShenzhen Conex
    081bDIM3
    081cBobrick Washroom Equipment, Inc.
    081dPotrykus Holdings and Development LLC
    081eiNFORM Technology GmbH
    081feSenseLab LTD
    0820Brilliant Home Technology, Inc.
    0821INOVA Geophysical, Inc.
    0822adafruit industries
    0823Nexite Ltd
    08248Power Limited
    0825CME PTE. LTD.
    0826Hyundai Motor Company
    0827Kickmaker
    0828Shanghai Suisheng Information Technology Co., Ltd.
    0829HEXAGON METROLOGY DIVISION ROMER
    082aMitutoyo Corporation
    082bshenzhen fitcare electronics Co.,Ltd
    082cINGICS TECHNOLOGY CO., LTD.
    082dINCUS PERFORMANCE LTD.
    082eABB S.p.A.
    082fBlippit AB
    0830Core Health and Fitness LLC
    0831Foxble, LLC
    0832Intermotive,Inc.
    0833Conneqtech B.V.
    0834RIKEN KEIKI CO., LTD.,
    0835Canopy Growth Corporation
    0836Bitwards Oy
    0837vivo Mobile Communication Co., Ltd.
    0838Etymotic Research, Inc.
    0839A puissance 3
    083aBPW Bergische Achsen Kommanditgesellschaft
    083bPiaggio Fast Forward
    083cBeerTech LTD
    083dTokenize, Inc.
    083eZorachka LTD
    083fD-Link Corp.
    0840Down Range Systems LLC
    0841General Luminaire (Shanghai) Co., Ltd.
    0842Tangshan HongJia electronic technology co., LTD.
    0843FRAGRANCE DELIVERY TECHNOLOGIES LTD
    0844Pepperl + Fuchs GmbH
    0845Dometic Corporation
    0846USound GmbH
    0847DNANUDGE LIMITED
    0848JUJU JOINTS CANADA CORP.
    0849Dopple Technologies B.V.
    084aARCOM
    084bBiotechware SRL
    084cORSO Inc.
    084dSafePort
    084eCarol Cole Company
    084fEmbedded Fitness B.V.
    0850Yealink (Xiamen) Network Technology Co.,LTD
    0851Subeca, Inc.
    0852Cognosos, Inc.
    0853Pektron Group Limited
    0854Tap Sound System
    0855Helios Sports, Inc.
    0856Canopy Growth Corporation
    0857Parsyl Inc
    0858SOUNDBOKS
    0859BlueUp
    085aDAKATECH
    085bNisshinbo Micro Devices Inc.
    085cACOS CO.,LTD.
    085dGuilin Zhishen Information Technology Co.,Ltd.
    085eKrog Systems LLC
    085fCOMPEGPS TEAM,SOCIEDAD LIMITADA
    0860Alflex Products B.V.
    0861SmartSensor Labs Ltd
    0862SmartDrive
    0863Yo-tronics Technology Co., Ltd.
    0864Rafaelmicro
    0865Emergency Lighting Products Limited
    0866LAONZ Co.,Ltd
    0867Western Digital Techologies, Inc.
    0868WIOsense GmbH & Co. KG
    0869EVVA Sicherheitstechnologie GmbH
    086aOdic Incorporated
    086bPacific Track, LLC
    086cRevvo Technologies, Inc.
    086dBiometrika d.o.o.
    086eVorwerk Elektrowerke GmbH & Co. KG
    086fTrackunit A/S
    0870Wyze Labs, Inc
    0871Dension Elektronikai Kft.
    087211 Health & Technologies Limited
    0873Innophase Incorporated
    0874Treegreen Limited
    0875Berner International LLC
    0876SmartResQ ApS
    0877Tome, Inc.
    0878The Chamberlain Group, Inc.
    0879MIZUNO Corporation
    087aZRF, LLC
    087bBYSTAMP
    087cCrosscan GmbH
    087dKonftel AB
    087e1bar.net Limited
    087fPhillips Connect Technologies LLC
    0880imagiLabs AB
    0881Optalert
    0882PSYONIC, Inc.
    0883Wintersteiger AG
    0884Controlid Industria, Comercio de Hardware e Servicos de Tecnologia Ltda
    0885LEVOLOR INC
    0886Movella Technologies B.V.
    0887Hydro-Gear Limited Partnership
    0888EnPointe Fencing Pty Ltd
    0889XANTHIO
    088asclak s.r.l.
    088bTricorder Arraay Technologies LLC
    088cGB Solution co.,Ltd
    088dSoliton Systems K.K.
    088eGIGA-TMS INC
    088fTait International Limited
    0890NICHIEI INTEC CO., LTD.
    0891SmartWireless GmbH & Co. KG
    0892Ingenieurbuero Birnfeld UG (haftungsbeschraenkt)
    0893Maytronics Ltd
    0894EPIFIT
    0895Gimer medical
    0896Nokian Renkaat Oyj
    0897Current Lighting Solutions LLC
    0898Sensibo, Inc.
    0899SFS unimarket AG
    089aPrivate limited company "Teltonika"
    089bSaucon Technologies
    089cEmbedded Devices Co. Company
    089dJ-J.A.D.E. Enterprise LLC
    089ei-SENS, inc.
    089fWitschi Electronic Ltd
    08a0Aclara Technologies LLC
    08a1EXEO TECH CORPORATION
    08a2Epic Systems Co., Ltd.
    08a3Hoffmann SE
    08a4Realme Chongqing Mobile Telecommunications Corp., Ltd.
    08a5UMEHEAL Ltd
    08a6Intelligenceworks Inc.
    08a7TGR 1.618 Limited
    08a8Shanghai Kfcube Inc
    08a9Fraunhofer IIS
    08aaSZ DJI TECHNOLOGY CO.,LTD
    08abCoburn Technology, LLC
    08acTopre Corporation
    08adKayamatics Limited
    08aeMoticon ReGo AG
    08afPolidea Sp. z o.o.
    08b0Trivedi Advanced Technologies LLC
    08b1CORE|vision BV
    08b2PF SCHWEISSTECHNOLOGIE GMBH
    08b3IONIQ Skincare GmbH & Co. KG
    08b4Sengled Co., Ltd.
    08b5TransferFi
    08b6Boehringer Ingelheim Vetmedica GmbH
    08b7ABB Inc
    08b8Check Technology Solutions LLC
    08b9U-Shin Ltd.
    08baHYPER ICE, INC.
    08bbTokai-rika co.,ltd.
    08bcPrevayl Limited
    08bdbf1systems limited
    08beubisys technologies GmbH
    08bfSIRC Co., Ltd.
    08c0Accent Advanced Systems SLU
    08c1Rayden.Earth LTD
    08c2Lindinvent AB
    08c3CHIPOLO d.o.o.
    08c4CellAssist, LLC
    08c5J. Wagner GmbH
    08c6Integra Optics Inc
    08c7Monadnock Systems Ltd.
    08c8Liteboxer Technologies Inc.
    08c9Noventa AG
    08caNubia Technology Co.,Ltd.
    08cbJT INNOVATIONS LIMITED
    08ccTGM TECHNOLOGY CO., LTD.
    08cdifly
    08ceZIMI CORPORATION
    08cfbetternotstealmybike UG (with limited liability)
    08d0ESTOM Infotech Kft.
    08d1Sensovium Inc.
    08d2Virscient Limited
    08d3Novel Bits, LLC
    08d4ADATA Technology Co., LTD.
    08d5KEYes
    08d6Nome Oy
    08d7Inovonics Corp
    08d8WARES
    08d9Pointr Labs Limited
    08daMiridia Technology Incorporated
    08dbTertium Technology
    08dcSHENZHEN AUKEY E BUSINESS CO., LTD
    08ddcode-Q
    08deTE Connectivity Corporation
    08dfIRIS OHYAMA CO.,LTD.
    08e0Philia Technology
    08e1KOZO KEIKAKU ENGINEERING Inc.
    08e2Shenzhen Simo Technology co. LTD
    08e3Republic Wireless, Inc.
    08e4Rashidov ltd
    08e5Crowd Connected Ltd
    08e6Eneso Tecnologia de Adaptacion S.L.
    08e7Barrot Technology Co.,Ltd.
    08e8Naonext
    08e9Taiwan Intelligent Home Corp.
    08eaCOWBELL ENGINEERING CO.,LTD.
    08ebBeijing Big Moment Technology Co., Ltd.
    08ecDenso Corporation
    08edIMI Hydronic Engineering International SA
    08eeAskey Computer Corp.
    08efCumulus Digital Systems, Inc
    08f0Joovv, Inc.
    08f1The L.S. Starrett Company
    08f2Microoled
    08f3PSP - Pauli Services & Products GmbH
    08f4Kodimo Technologies Company Limited
    08f5Tymtix Technologies Private Limited
    08f6Dermal Photonics Corporation
    08f7MTD Products Inc & Affiliates
    08f8instagrid GmbH
    08f9Spacelabs Medical Inc.
    08faTroo Corporation
    08fbDarkglass Electronics Oy
    08fcHill-Rom
    08fdBioIntelliSense, Inc.
    08feKetronixs Sdn Bhd
    08ffPlastimold Products, Inc
    0900Beijing Zizai Technology Co., LTD.
    0901Lucimed
    0902TSC Auto-ID Technology Co., Ltd.
    0903DATAMARS, Inc.
    0904SUNCORPORATION
    0905Yandex Services AG
    0906Scope Logistical Solutions
    0907User Hello, LLC
    0908Pinpoint Innovations Limited
    090970mai Co.,Ltd.
    090aZhuhai Hoksi Technology CO.,LTD
    090bEMBR labs, INC
    090cRadiawave Technologies Co.,Ltd.
    090dIOT Invent GmbH
    090eOPTIMUSIOT TECH LLP
    090fVC Inc.
    0910ASR Microelectronics (Shanghai) Co., Ltd.
    0911Douglas Lighting Controls Inc.
    0912Nerbio Medical Software Platforms Inc
    0913Braveheart Wireless, Inc.
    0914INEO-SENSE
    0915Honda Motor Co., Ltd.
    0916Ambient Sensors LLC
    0917ASR Microelectronics(ShenZhen)Co., Ltd.
    0918Technosphere Labs Pvt. Ltd.
    0919NO SMD LIMITED
    091aAlbertronic BV
    091bLuminostics, Inc.
    091cOblamatik AG
    091dInnokind, Inc.
    091eMelbot Studios, Sociedad Limitada
    091fMyzee Technology
    0920Omnisense Limited
    0921KAHA PTE. LTD.
    0922Shanghai MXCHIP Information Technology Co., Ltd.
    0923JSB TECH PTE LTD
    0924Fundacion Tecnalia Research and Innovation
    0925Yukai Engineering Inc.
    0926Gooligum Technologies Pty Ltd
    0927ROOQ GmbH
    0928AiRISTA
    0929Qingdao Haier Technology Co., Ltd.
    092aSappl Verwaltungs- und Betriebs GmbH
    092bTekHome
    092cPCI Private Limited
    092dLeggett & Platt, Incorporated
    092ePS GmbH
    092fC.O.B.O. SpA
    0930James Walker RotaBolt Limited
    0931BREATHINGS Co., Ltd.
    0932BarVision, LLC
    0933SRAM
    0934KiteSpring Inc.
    0935Reconnect, Inc.
    0936Elekon AG
    0937RealThingks GmbH
    0938Henway Technologies, LTD.
    0939ASTEM Co.,Ltd.
    093aLinkedSemi Microelectronics (Xiamen) Co., Ltd
    093bENSESO LLC
    093cXenoma Inc.
    093dAdolf Wuerth GmbH & Co KG
    093eCatalyft Labs, Inc.
    093fJEPICO Corporation
    0940Hero Workout GmbH
    0941Rivian Automotive, LLC
    0942TRANSSION HOLDINGS LIMITED
    0943Reserved
    0944Agitron d.o.o.
    0945Globe (Jiangsu) Co., Ltd
    0946AMC International Alfa Metalcraft Corporation AG
    0947First Light Technologies Ltd.
    0948Wearable Link Limited
    0949Metronom Health Europe
    094aZwift, Inc.
    094bKindeva Drug Delivery L.P.
    094cGimmiSys GmbH
    094dtkLABS INC.
    094ePassiveBolt, Inc.
    094fLimited Liability Company "Mikrotikls"
    0950Capetech
    0951PPRS
    0952Apptricity Corporation
    0953LogiLube, LLC
    0954Julbo
    0955Breville Group
    0956Kerlink
    0957Ohsung Electronics
    0958ZTE Corporation
    0959HerdDogg, Inc
    095aSelekt Bilgisayar, lletisim Urunleri lnsaat Sanayi ve Ticaret Limited Sirketi
    095bLismore Instruments Limited
    095cLogiLube, LLC
    095dElectronic Theatre Controls
    095eBioEchoNet inc.
    095fNUANCE HEARING LTD
    0960Sena Technologies Inc.
    0961Linkura AB
    0962GL Solutions K.K.
    0963Moonbird BV
    0964Countrymate Technology Limited
    0965Asahi Kasei Corporation
    0966PointGuard, LLC
    0967Neo Materials and Consulting Inc.
    0968Actev Motors, Inc.
    0969Woan Technology (Shenzhen) Co., Ltd.
    096adricos, Inc.
    096bGuide ID B.V.
    096c9374-7319 Quebec inc
    096dGunwerks, LLC
    096eBand Industries, inc.
    096fLund Motion Products, Inc.
    0970IBA Dosimetry GmbH
    0971GA
    0972Closed Joint Stock Company "Zavod Flometr" ("Zavod Flometr" CJSC)
    0973Popit Oy
    0974ABEYE
    0975BlueIOT(Beijing) Technology Co.,Ltd
    0976Fauna Audio GmbH
    0977TOYOTA motor corporation
    0978ZifferEins GmbH & Co. KG
    0979BIOTRONIK SE & Co. KG
    097aCORE CORPORATION
    097bCTEK Sweden AB
    097cThorley Industries, LLC
    097dCLB B.V.
    097eSonicSensory Inc
    097fISEMAR S.R.L.
    0980DEKRA TESTING AND CERTIFICATION, S.A.U.
    0981Bernard Krone Holding SE & Co.KG
    0982ELPRO-BUCHS AG
    0983Feedback Sports LLC
    0984TeraTron GmbH
    0985Lumos Health Inc.
    0986Cello Hill, LLC
    0987TSE BRAKES, INC.
    0988BHM-Tech Produktionsgesellschaft m.b.H
    0989WIKA Alexander Wiegand SE & Co.KG
    098aBiovigil
    098bMequonic Engineering, S.L.
    098cbGrid B.V.
    098dC3-WIRELESS, LLC
    098eADVEEZ
    098fAktiebolaget Regin
    0990Anton Paar GmbH
    0991Telenor ASA
    0992Big Kaiser Precision Tooling Ltd
    0993Absolute Audio Labs B.V.
    0994VT42 Pty Ltd
    0995Bronkhorst High-Tech B.V.
    0996C. & E. Fein GmbH
    0997NextMind
    0998Pixie Dust Technologies, Inc.
    0999eTactica ehf
    099aNew Audio LLC
    099bSendum Wireless Corporation
    099cdeister electronic GmbH
    099dYKK AP Inc.
    099eStep One Limited
    099fKoya Medical, Inc.
    09a0Proof Diagnostics, Inc.
    09a1VOS Systems, LLC
    09a2ENGAGENOW DATA SCIENCES PRIVATE LIMITED
    09a3ARDUINO SA
    09a4KUMHO ELECTRICS, INC
    09a5Security Enhancement Systems, LLC
    09a6BEIJING ELECTRIC VEHICLE CO.,LTD
    09a7Paybuddy ApS
    09a8KHN Solutions LLC
    09a9Nippon Ceramic Co.,Ltd.
    09aaPHOTODYNAMIC INCORPORATED
    09abDashLogic, Inc.
    09acAmbiq
    09adNarhwall Inc.
    09aePozyx NV
    09afifLink Open Community
    09b0Deublin Company, LLC
    09b1BLINQY
    09b2DYPHI
    09b3BlueX Microelectronics Corp Ltd.
    09b4PentaLock Aps.
    09b5AUTEC Gesellschaft fuer Automationstechnik mbH
    09b6Pegasus Technologies, Inc.
    09b7Bout Labs, LLC
    09b8PlayerData Limited
    09b9SAVOY ELECTRONIC LIGHTING
    09baElimo Engineering Ltd
    09bbSkyStream Corporation
    09bcAerosens LLC
    09bdCentre Suisse d'Electronique et de Microtechnique SA
    09beVessel Ltd.
    09bfSpan.IO, Inc.
    09c0AnotherBrain inc.
    09c1Rosewill
    09c2Universal Audio, Inc.
    09c3JAPAN TOBACCO INC.
    09c4UVISIO
    09c5HungYi Microelectronics Co.,Ltd.
    09c6Honor Device Co., Ltd.
    09c7Combustion, LLC
    09c8XUNTONG
    09c9CrowdGlow Ltd
    09caMobitrace
    09cbHx Engineering, LLC
    09ccSenso4s d.o.o.
    09cdBlyott
    09ceJulius Blum GmbH
    09cfBlueStreak IoT, LLC
    09d0Chess Wise B.V.
    09d1ABLEPAY TECHNOLOGIES AS
    09d2Temperature Sensitive Solutions Systems Sweden AB
    09d3HeartHero, inc.
    09d4ORBIS Inc.
    09d5GEAR RADIO ELECTRONICS CORP.
    09d6EAR TEKNIK ISITME VE ODIOMETRI CIHAZLARI SANAYI VE TICARET ANONIM SIRKETI
    09d7Coyotta
    09d8Synergy Tecnologia em Sistemas Ltda
    09d9VivoSensMedical GmbH
    09daNagravision SA
    09dbBionic Avionics Inc.
    09dcAON2 Ltd.
    09ddInnoware Development AB
    09deJLD Technology Solutions, LLC
    09dfMagnus Technology Sdn Bhd
    09e0Preddio Technologies Inc.
    09e1Tag-N-Trac Inc
    09e2Wuhan Linptech Co.,Ltd.
    09e3Friday Home Aps
    09e4CPS AS
    09e5Mobilogix
    09e6Masonite Corporation
    09e7Kabushikigaisha HANERON
    09e8Melange Systems Pvt. Ltd.
    09e9LumenRadio AB
    09eaAthlos Oy
    09ebKEAN ELECTRONICS PTY LTD
    09ecYukon advanced optics worldwide, UAB
    09edSibel Inc.
    09eeOJMAR SA
    09efSteinel Solutions AG
    09f0WatchGas B.V.
    09f1OM Digital Solutions Corporation
    09f2Audeara Pty Ltd
    09f3Beijing Zero Zero Infinity Technology Co.,Ltd.
    09f4Spectrum Technologies, Inc.
    09f5OKI Electric Industry Co., Ltd
    09f6Mobile Action Technology Inc.
    09f7SENSATEC Co., Ltd.
    09f8R.O. S.R.L.
    09f9Hangzhou Yaguan Technology Co. LTD
    09faListen Technologies Corporation
    09fbTOITU CO., LTD.
    09fcConfidex
    09fdKeep Technologies, Inc.
    09feLichtvision Engineering GmbH
    09ffAIRSTAR
    0a00Ampler Bikes OU
    0a01Cleveron AS
    0a02Ayxon-Dynamics GmbH
    0a03donutrobotics Co., Ltd.
    0a04Flosonics Medical
    0a05Southwire Company, LLC
    0a06Shanghai wuqi microelectronics Co.,Ltd
    0a07Reflow Pty Ltd
    0a08Oras Oy
    0a09ECCT
    0a0aVolan Technology Inc.
    0a0bSIANA Systems
    0a0cShanghai Yidian Intelligent Technology Co., Ltd.
    0a0dBlue Peacock GmbH
    0a0eRoland Corporation
    0a0fLIXIL Corporation
    0a10SUBARU Corporation
    0a11Sensolus
    0a12Dyson Technology Limited
    0a13Tec4med LifeScience GmbH
    0a14CROXEL, INC.
    0a15Syng Inc
    0a16RIDE VISION LTD
    0a17Plume Design Inc
    0a18Cambridge Animal Technologies Ltd
    0a19Maxell, Ltd.
    0a1aLink Labs, Inc.
    0a1bEmbrava Pty Ltd
    0a1cINPEAK S.C.
    0a1dAPI-K
    0a1eCombiQ AB
    0a1fDeVilbiss Healthcare LLC
    0a20Jiangxi Innotech Technology Co., Ltd
    0a21Apollogic Sp. z o.o.
    0a22DAIICHIKOSHO CO., LTD.
    0a23BIXOLON CO.,LTD
    0a24Atmosic Technologies, Inc.
    0a25Eran Financial Services LLC
    0a26Louis Vuitton
    0a27AYU DEVICES PRIVATE LIMITED
    0a28NanoFlex Power Corporation
    0a29Worthcloud Technology Co.,Ltd
    0a2aYamaha Corporation
    0a2bPaceBait IVS
    0a2cShenzhen H&T Intelligent Control Co., Ltd
    0a2dShenzhen Feasycom Technology Co., Ltd.
    0a2eZuma Array Limited
    0a2fInstamic, Inc.
    0a30Air-Weigh
    0a31Nevro Corp.
    0a32Pinnacle Technology, Inc.
    0a33WMF AG
    0a34Luxer Corporation
    0a35safectory GmbH
    0a36NGK SPARK PLUG CO., LTD.
    0a372587702 Ontario Inc.
    0a38Bouffalo Lab (Nanjing)., Ltd.
    0a39BLUETICKETING SRL
    0a3aIncotex Co. Ltd.
    0a3bGalileo Technology Limited
    0a3cSiteco GmbH
    0a3dDELABIE
    0a3eHefei Yunlian Semiconductor Co., Ltd
    0a3fShenzhen Yopeak Optoelectronics Technology Co., Ltd.
    0a40GEWISS S.p.A.
    0a41OPEX Corporation
    0a42Motionalysis, Inc.
    0a43Busch Systems International Inc.
    0a44Novidan, Inc.
    0a453SI Security Systems, Inc
    0a46Beijing HC-Infinite Technology Limited
    0a47The Wand Company Ltd
    0a48JRC Mobility Inc.
    0a49Venture Research Inc.
    0a4aMap Large, Inc.
    0a4bMistyWest Energy and Transport Ltd.
    0a4cSiFli Technologies (shanghai) Inc.
    0a4dLockn Technologies Private Limited
    0a4eToytec Corporation
    0a4fVANMOOF Global Holding B.V.
    0a50Nextscape Inc.
    0a51CSIRO
    0a52Follow Sense Europe B.V.
    0a53KKM COMPANY LIMITED
    0a54SQL Technologies Corp.
    0a55Inugo Systems Limited
    0a56ambie
    0a57Meizhou Guo Wei Electronics Co., Ltd
    0a58Indigo Diabetes
    0a59TourBuilt, LLC
    0a5aSontheim Industrie Elektronik GmbH
    0a5bLEGIC Identsystems AG
    0a5cInnovative Design Labs Inc.
    0a5dMG Energy Systems B.V.
    0a5eLaceClips llc
    0a5fstryker
    0a60DATANG SEMICONDUCTOR TECHNOLOGY CO.,LTD
    0a61Smart Parks B.V.
    0a62MOKO TECHNOLOGY Ltd
    0a63Gremsy JSC
    0a64Geopal system A/S
    0a65Lytx, INC.
    0a66JUSTMORPH PTE. LTD.
    0a67Beijing SuperHexa Century Technology CO. Ltd
    0a68Focus Ingenieria SRL
    0a69HAPPIEST BABY, INC.
    0a6aScribble Design Inc.
    0a6bOlympic Ophthalmics, Inc.
    0a6cPokkels
    0a6dKUUKANJYOKIN Co.,Ltd.
    0a6ePac Sane Limited
    0a6fWarner Bros.
    0a70Ooma
    0a71Senquip Pty Ltd
    0a72Jumo GmbH & Co. KG
    0a73Innohome Oy
    0a74MICROSON S.A.
    0a75Delta Cycle Corporation
    0a76Synaptics Incorporated
    0a77AXTRO PTE. LTD.
    0a78Shenzhen Sunricher Technology Limited
    0a79Webasto SE
    0a7aEmlid Limited
    0a7bUniqAir Oy
    0a7cWAFERLOCK
    0a7dFreedman Electronics Pty Ltd
    0a7eKEBA Handover Automation GmbH
    0a7fIntuity Medical
    0a80Cleer Limited
    0a81Universal Biosensors Pty Ltd
    0a82Corsair
    0a83Rivata, Inc.
    0a84Greennote Inc,
    0a85Snowball Technology Co., Ltd.
    0a86ALIZENT International
    0a87Shanghai Smart System Technology Co., Ltd
    0a88PSA Peugeot Citroen
    0a89SES-Imagotag
    0a8aHAINBUCH GMBH SPANNENDE TECHNIK
    0a8bSANlight GmbH
    0a8cDelpSys, s.r.o.
    0a8dJCM TECHNOLOGIES S.A.
    0a8ePerfect Company
    0a8fTOTO LTD.
    0a90Shenzhen Grandsun Electronic Co.,Ltd.
    0a91Monarch International Inc.
    0a92Carestream Dental LLC
    0a93GiPStech S.r.l.
    0a94OOBIK Inc.
    0a95Pamex Inc.
    0a96Lightricity Ltd
    0a97SensTek
    0a98Foil, Inc.
    0a99Shanghai high-flying electronics technology Co.,Ltd
    0a9aTEMKIN ASSOCIATES, LLC
    0a9bEello LLC
    0a9cXi'an Fengyu Information Technology Co., Ltd.
    0a9dCanon Finetech Nisca Inc.
    0a9eLifePlus, Inc.
    0a9fista International GmbH
    0aa0Loy Tec electronics GmbH
    0aa1LINCOGN TECHNOLOGY CO. LIMITED
    0aa2Care Bloom, LLC
    0aa3DIC Corporation
    0aa4FAZEPRO LLC
    0aa5Shenzhen Uascent Technology Co., Ltd
    0aa6Realityworks, inc.
    0aa7Urbanista AB
    0aa8Zencontrol Pty Ltd
    0aa9Mrinq Technologies LLC
    0aaaComputime International Ltd
    0aabAnhui Listenai Co
    0aacOSM HK Limited
    0aadAdevo Consulting AB
    0aaePS Engineering, Inc.
    0aafAIAIAI ApS
    0ab0Visiontronic s.r.o.
    0ab1InVue Security Products Inc
    0ab2TouchTronics, Inc.
    0ab3INNER RANGE PTY. LTD.
    0ab4Ellenby Technologies, Inc.
    0ab5Elstat Electronics Ltd.
    0ab6Xenter, Inc.
    0ab7LogTag North America Inc.
    0ab8Sens.ai Incorporated
    0ab9STL
    0abaOpen Bionics Ltd.
    0abbR-DAS, s.r.o.
    0abcKCCS Mobile Engineering Co., Ltd.
    0abdInventas AS
    0abeRobkoo Information & Technologies Co., Ltd.
    0abfPAUL HARTMANN AG
    0ac0Omni-ID USA, INC.
    0ac1Shenzhen Jingxun Technology Co., Ltd.
    0ac2RealMega Microelectronics technology (Shanghai) Co. Ltd.
    0ac3Kenzen, Inc.
    0ac4CODIUM
    0ac5Flexoptix GmbH
    0ac6Barnes Group Inc.
    0ac7Chengdu Aich Technology Co.,Ltd
    0ac8Keepin Co., Ltd.
    0ac9Swedlock AB
    0acaShenzhen CoolKit Technology Co., Ltd
    0acbise Individuelle Software und Elektronik GmbH
    0accNuvoton
    0acdVisuallex Sport International Limited
    0aceKOBATA GAUGE MFG. CO., LTD.
    0acfCACI Technologies
    0ad0Nordic Strong ApS
    0ad1EAGLE KINGDOM TECHNOLOGIES LIMITED
    0ad2Lautsprecher Teufel GmbH
    0ad3SSV Software Systems GmbH
    0ad4Zhuhai Pantum Electronisc Co., Ltd
    0ad5Streamit B.V.
    0ad6nymea GmbH
    0ad7AL-KO Geraete GmbH
    0ad8Franz Kaldewei GmbH&Co KG
    0ad9Shenzhen Aimore. Co.,Ltd
    0adaCodefabrik GmbH
    0adbReelables, Inc.
    0adcDuravit AG
    0addBoss Audio
    0adeVocera Communications, Inc.
    0adfDouglas Dynamics L.L.C.
    0ae0Viceroy Devices Corporation
    0ae1ChengDu ForThink Technology Co., Ltd.
    0ae2IMATRIX SYSTEMS, INC.
    0ae3GlobalMed
    0ae4DALI Alliance
    0ae5unu GmbH
    0ae6Hexology
    0ae7Sunplus Technology Co., Ltd.
    0ae8LEVEL, s.r.o.
    0ae9FLIR Systems AB
    0aeaBorda Technology
    0aebSquare, Inc.
    0aecFUTEK ADVANCED SENSOR TECHNOLOGY, INC
    0aedSaxonar GmbH
    0aeeVelentium, LLC
    0aefGLP German Light Products GmbH
    0af0Leupold & Stevens, Inc.
    0af1CRADERS,CO.,LTD
    0af2Shanghai All Link Microelectronics Co.,Ltd
    0af3701x Inc.
    0af4Radioworks Microelectronics PTY LTD
    0af5Unitech Electronic Inc.
    0af6AMETEK, Inc.
    0af7Irdeto
    0af8First Design System Inc.
    0af9Unisto AG
    0afaChengdu Ambit Technology Co., Ltd.
    0afbSMT ELEKTRONIK GmbH
    0afcCerebrum Sensor Technologies Inc.
    0afdWeber Sensors, LLC
    0afeEarda Technologies Co.,Ltd
    0affFUSEAWARE LIMITED
    0b00Flaircomm Microelectronics Inc.
    0b01RESIDEO TECHNOLOGIES, INC.
    0b02IORA Technology Development Ltd. Sti.
    0b03Precision Triathlon Systems Limited
    0b04I-PERCUT
    0b05Marquardt GmbH
    0b06FAZUA GmbH
    0b07Workaround Gmbh
    0b08Shenzhen Qianfenyi Intelligent Technology Co., LTD
    0b09soonisys
    0b0aBelun Technology Company Limited
    0b0bSanistaal A/S
    0b0cBluPeak
    0b0dSANYO DENKO Co.,Ltd.
    0b0eHonda Lock Mfg. Co.,Ltd.
    0b0fB.E.A. S.A.
    0b10Alfa Laval Corporate AB
    0b11ThermoWorks, Inc.
    0b12ToughBuilt Industries LLC
    0b13IOTOOLS
    0b14Olumee
    0b15NAOS JAPAN K.K.
    0b16Guard RFID Solutions Inc.
    0b17SIG SAUER, INC.
    0b18DECATHLON SE
    0b19WBS PROJECT H PTY LTD
    0b1aRoca Sanitario, S.A.
    0b1bEnerpac Tool Group Corp.
    0b1cNanoleq AG
    0b1dAccelerated Systems
    0b1ePB INC.
    0b1fBeijing ESWIN Computing Technology Co., Ltd.
    0b20TKH Security B.V.
    0b21ams AG
    0b22Hygiene IQ, LLC.
    0b23iRhythm Technologies, Inc.
    0b24BeiJing ZiJie TiaoDong KeJi Co.,Ltd.
    0b25NIBROTECH LTD
    0b26Baracoda Daily Healthtech.
    0b27Lumi United Technology Co., Ltd
    0b28CHACON
    0b29Tech-Venom Entertainment Private Limited
    0b2aACL Airshop B.V.
    0b2bMAINBOT
    0b2cILLUMAGEAR, Inc.
    0b2dREDARC ELECTRONICS PTY LTD
    0b2eMOCA System Inc.
    0b2fDuke Manufacturing Co
    0b30ART SPA
    0b31Silver Wolf Vehicles Inc.
    0b32Hala Systems, Inc.
    0b33ARMATURA LLC
    0b34CONZUMEX INDUSTRIES PRIVATE LIMITED
    0b35BH SENS
    0b36SINTEF
    0b37Omnivoltaic Energy Solutions Limited Company
    0b38WISYCOM S.R.L.
    0b39Red 100 Lighting Co., ltd.
    0b3aImpact Biosystems, Inc.
    0b3bAIC semiconductor (Shanghai) Co., Ltd.
    0b3cDodge Industrial, Inc.
    0b3dREALTIMEID AS
    0b3eISEO Serrature S.p.a.
    0b3fMindRhythm, Inc.
    0b40Havells India Limited
    0b41Sentrax GmbH
    0b42TSI
    0b43INCITAT ENVIRONNEMENT
    0b44nFore Technology Co., Ltd.
    0b45Electronic Sensors, Inc.
    0b46Bird Rides, Inc.
    0b47Gentex Corporation
    0b48NIO USA, Inc.
    0b49SkyHawke Technologies
    0b4aNomono AS
    0b4bEMS Integrators, LLC
    0b4cBiosBob.Biz
    0b4dAdam Hall GmbH
    0b4eICP Systems B.V.
    0b4fBreezi.io, Inc.
    0b50Mesh Systems LLC
    0b51FUN FACTORY GmbH
    0b52ZIIP Inc
    0b53SHENZHEN KAADAS INTELLIGENT TECHNOLOGY CO.,Ltd
    0b54Emotion Fitness GmbH & Co. KG
    0b55H G M Automotive Electronics, Inc.
    0b56BORA - Vertriebs GmbH & Co KG
    0b57CONVERTRONIX TECHNOLOGIES AND SERVICES LLP
    0b58TOKAI-DENSHI INC
    0b59Versa Group B.V.
    0b5aH.P. Shelby Manufacturing, LLC.
    0b5bShenzhen ImagineVision Technology Limited
    0b5cExponential Power, Inc.
    0b5dFujian Newland Auto-ID Tech. Co., Ltd.
    0b5eCELLCONTROL, INC.
    0b5fRivieh, Inc.
    0b60RATOC Systems, Inc.
    0b61Sentek Pty Ltd
    0b62NOVEA ENERGIES
    0b63Innolux Corporation
    0b64NingBo klite Electric Manufacture Co.,LTD
    0b65The Apache Software Foundation
    0b66MITSUBISHI ELECTRIC AUTOMATION (THAILAND) COMPANY LIMITED
    0b67CleanSpace Technology Pty Ltd
    0b68Quha oy
    0b69Addaday
    0b6aDymo
    0b6bSamsara Networks, Inc
    0b6cSensitech, Inc.
    0b6dSOLUM CO., LTD
    0b6eReact Mobile
    0b6fShenzhen Malide Technology Co.,Ltd
    0b70JDRF Electromag Engineering Inc
    0b71lilbit ODM AS
    0b72Geeknet, Inc.
    0b73HARADA INDUSTRY CO., LTD.
    0b74BQN
    0b75Triple W Japan Inc.
    0b76MAX-co., ltd
    0b77Aixlink(Chengdu) Co., Ltd.
    0b78FIELD DESIGN INC.
    0b79Sankyo Air Tech Co.,Ltd.
    0b7aShenzhen KTC Technology Co.,Ltd.
    0b7bHardcoder Oy
    0b7cScangrip A/S
    0b7dFoundersLane GmbH
    0b7eOffcode Oy
    0b7fICU tech GmbH
    0b80AXELIFE
    0b81SCM Group
    0b82Mammut Sports Group AG
    0b83Taiga Motors Inc.
    0b84Presidio Medical, Inc.
    0b85VIMANA TECH PTY LTD
    0b86Trek Bicycle
    0b87Ampetronic Ltd
    0b88Muguang (Guangdong) Intelligent Lighting Technology Co., Ltd
    0b89Rotronic AG
    0b8aSeiko Instruments Inc.
    0b8bAmerican Technology Components, Incorporated
    0b8cMOTREX
    0b8dPertech Industries Inc
    0b8eGentle Energy Corp.
    0b8fSenscomm Semiconductor Co., Ltd.
    0b90Ineos Automotive Limited
    0b91Alfen ICU B.V.
    0b92Citisend Solutions, SL
    0b93Hangzhou BroadLink Technology Co., Ltd.
    0b94Dreem SAS
    0b95Netwake GmbH
    0b96Telecom Design
    0b97SILVER TREE LABS, INC.
    0b98Gymstory B.V.
    0b99The Goodyear Tire & Rubber Company
    0b9aBeijing Wisepool Infinite Intelligence Technology Co.,Ltd
    0b9bGISMAN
    0b9cKomatsu Ltd.
    0b9dSensoria Holdings LTD
    0b9eAudio Partnership Plc
    0b9fGroup Lotus Limited
    0ba0Data Sciences International
    0ba1Bunn-O-Matic Corporation
    0ba2TireCheck GmbH
    0ba3Sonova Consumer Hearing GmbH
    0ba4Vervent Audio Group
    0ba5SONICOS ENTERPRISES, LLC
    0ba6Nissan Motor Co., Ltd.
    0ba7hearX Group (Pty) Ltd
    0ba8GLOWFORGE INC.
    0ba9Allterco Robotics ltd
    0baaInfinitegra, Inc.
    0babGrandex International Corporation
    0bacMachfu Inc.
    0badRoambotics, Inc.
    0baeSoma Labs LLC
    0bafNITTO KOGYO CORPORATION
    0bb0Ecolab Inc.
    0bb1Beijing ranxin intelligence technology Co.,LTD
    0bb2Fjorden Electra AS
    0bb3Flender GmbH
    0bb4New Cosmos USA, Inc.
    0bb5Xirgo Technologies, LLC
    0bb6Build With Robots Inc.
    0bb7IONA Tech LLC
    0bb8INNOVAG PTY. LTD.
    0bb9SaluStim Group Oy
    0bbaHuso, INC
    0bbbSWISSINNO SOLUTIONS AG
    0bbcT2REALITY SOLUTIONS PRIVATE LIMITED
    0bbdETHEORY PTY LTD
    0bbeSAAB Aktiebolag
    0bbfHIMSA II K/S
    0bc0READY FOR SKY LLP
    0bc1Miele & Cie. KG
    0bc2EntWick Co.
    0bc3MCOT INC.
    0bc4TECHTICS ENGINEERING B.V.
    0bc5Aperia Technologies, Inc.
    0bc6TCL COMMUNICATION EQUIPMENT CO.,LTD.
    0bc7Signtle Inc.
    0bc8OTF Distribution, LLC
    0bc9Neuvatek Inc.
    0bcaPerimeter Technologies, Inc.
    0bcbDivesoft s.r.o.
    0bccSylvac sa
    0bcdAmiko srl
    0bceNeurosity, Inc.
    0bcfLL Tec Group LLC
    0bd0Durag GmbH
    0bd1Hubei Yuan Times Technology Co., Ltd.
    0bd2IDEC
    0bd3Procon Analytics, LLC
    0bd4ndd Medizintechnik AG
    0bd5Super B Lithium Power B.V.
    0bd6Shenzhen Injoinic Technology Co., Ltd.
    0bd7VINFAST TRADING AND PRODUCTION JOINT STOCK COMPANY
    0bd8PURA SCENTS, INC.
    0bd9Elics Basis Ltd.
    0bdaAardex Ltd.
    0bdbCHAR-BROIL, LLC
    0bdcLedworks S.r.l.
    0bddCoroflo Limited
    0bdeYale
    0bdfWINKEY ENTERPRISE (HONG KONG) LIMITED
    0be0Koizumi Lighting Technology corp.
    0be1Back40 Precision
    0be2OTC engineering
    0be3Comtel Systems Ltd.
    0be4Deepfield Connect GmbH
    0be5ZWILLING J.A. Henckels Aktiengesellschaft
    0be6Puratap Pty Ltd
    0be7Fresnel Technologies, Inc.
    0be8Sensormate AG
    0be9Shindengen Electric Manufacturing Co., Ltd.
    0beaTwenty Five Seven, prodaja in storitve, d.o.o.
    0bebLuna Health, Inc.
    0becMiracle-Ear, Inc.
    0bedCORAL-TAIYI Co. Ltd.
    0beeLINKSYS USA, INC.
    0befSafetytest GmbH
    0bf0KIDO SPORTS CO., LTD.
    0bf1Site IQ LLC
    0bf2Angel Medical Systems, Inc.
    0bf3PONE BIOMETRICS AS
    0bf4ER Lab LLC
    0bf5T5 tek, Inc.
    0bf6greenTEG AG
    0bf7Wacker Neuson SE
    0bf8Innovacionnye Resheniya
    0bf9Alio, Inc
    0bfaCleanBands Systems Ltd.
    0bfbDodam Enersys Co., Ltd
    0bfcT+A elektroakustik GmbH & Co.KG
    0bfdEsmé Solutions
    0bfeMedia-Cartec GmbH
    0bffRatio Electric BV
    0c00MQA Limited
    0c01NEOWRK SISTEMAS INTELIGENTES S.A.
    0c02Loomanet, Inc.
    0c03Puff Corp
    0c04Happy Health, Inc.
    0c05Montage Connect, Inc.
    0c06LED Smart Inc.
    0c07CONSTRUKTS, INC.
    0c08limited liability company "Red"
    0c09Senic Inc.
    0c0aAutomated Pet Care Products, LLC
    0c0baconno GmbH
    0c0cMendeltron, Inc.
    0c0dMereltron bv
    0c0eALEX DENKO CO.,LTD.
    0c0fAETERLINK
    0c10Cosmed s.r.l.
    0c11Gordon Murray Design Limited
    0c12IoSA
    0c13Scandinavian Health Limited
    0c14Fasetto, Inc.
    0c15Geva Sol B.V.
    0c16TYKEE PTY. LTD.
    0c17SomnoMed Limited
    0c18CORROHM
    0c19Arlo Technologies, Inc.
    0c1aCatapult Group International Ltd
    0c1bRockchip Electronics Co., Ltd.
    0c1cGEMU
    0c1dOFF Line Japan Co., Ltd.
    0c1eEC sense co., Ltd
    0c1fLVI Co.
    0c20COMELIT GROUP S.P.A.
    0c21Foshan Viomi Electrical Technology Co., Ltd
    0c22Glamo Inc.
    0c23KEYTEC,Inc.
    0c24SMARTD TECHNOLOGIES INC.
    0c25JURA Elektroapparate AG
    0c26Performance Electronics, Ltd.
    0c27Pal Electronics
    0c28Embecta Corp.
    0c29DENSO AIRCOOL CORPORATION
    0c2aCaresix Inc.
    0c2bGigaDevice Semiconductor Inc.
    0c2cZeku Technology (Shanghai) Corp., Ltd.
    0c2dOTF Product Sourcing, LLC
    0c2eEasee AS
    0c2fBEEHERO, INC.
    0c30McIntosh Group Inc
    0c31KINDOO LLP
    0c32Xian Yisuobao Electronic Technology Co., Ltd.
    0c33Exeger Operations AB
    0c34BYD Company Limited
    0c35Thermokon-Sensortechnik GmbH
    0c36Cosmicnode BV
    0c37SignalQuest, LLC
    0c38Noritz Corporation.
    0c39TIGER CORPORATION
    0c3aEquinosis, LLC
    0c3bORB Innovations Ltd
    0c3cClassified Cycling
    0c3dWrmth Corp.
    0c3eBELLDESIGN Inc.
    0c3fStinger Equipment, Inc.
    0c40HORIBA, Ltd.
    0c41Control Solutions LLC
    0c42Heath Consultants Inc.
    0c43Berlinger & Co. AG
    0c44ONCELABS LLC
    0c45Brose Verwaltung SE, Bamberg
    0c46Granwin IoT Technology (Guangzhou) Co.,Ltd
    0c47Epsilon Electronics,lnc
    0c48VALEO MANAGEMENT SERVICES
    0c49twopounds gmbh
    0c4aatSpiro ApS
    0c4bADTRAN, Inc.
    0c4cOrpyx Medical Technologies Inc.
    0c4dSeekwave Technology Co.,ltd.
    0c4eTactile Engineering, Inc.
    0c4fSharkNinja Operating LLC
    0c50Imostar Technologies Inc.
    0c51INNOVA S.R.L.
    0c52ESCEA LIMITED
    0c53Taco, Inc.
    0c54HiViz Lighting, Inc.
    0c55Zintouch B.V.
    0c56Rheem Sales Company, Inc.
    0c57UNEEG medical A/S
    0c58Hykso Inc.
    0c59CYBERDYNE Inc.
    0c5aLockswitch Sdn Bhd
    0c5bAlban Giacomo S.P.A.
    0c5cMGM WIRELESSS HOLDINGS PTY LTD
    0c5dStepUp Solutions ApS
    0c5eBlueID GmbH
    0c5fNanjing Linkpower Microelectronics Co.,Ltd
    0c60KEBA Energy Automation GmbH
    0c61NNOXX, Inc
    0c62Phiaton Corporation
    0c63phg Peter Hengstler GmbH + Co. KG
    0c64dormakaba Holding AG
    0c65WAKO CO,.LTD
    0c66DEN Smart Home B.V.
    0c67TRACKTING S.R.L.
    0c68Emerja Corporation
    0c69BLITZ electric motors. LTD
    0c6aCONSORCIO TRUST CONTROL - NETTEL
    0c6bGILSON SAS
    0c6cSNIFF LOGIC LTD
    0c6dFidure Corp.
    0c6eSensa LLC
    0c6fParakey AB
    0c70SCARAB SOLUTIONS LTD
    0c71BitGreen Technolabz (OPC) Private Limited
    0c72StreetCar ORV, LLC
    0c73Truma GerÃ¤tetechnik GmbH & Co. KG
    0c74yupiteru
    0c75Embedded Engineering Solutions LLC
    0c76Shenzhen Gwell Times Technology Co. , Ltd
    0c77TEAC Corporation
    0c78CHARGTRON IOT PRIVATE LIMITED
    0c79Zhuhai Smartlink Technology Co., Ltd
    0c7aTriductor Technology (Suzhou), Inc.
    0c7bPT SADAMAYA GRAHA TEKNOLOGI
    0c7cMopeka Products LLC
    0c7d3ALogics, Inc.
    0c7eBOOMING OF THINGS
    0c7fRochester Sensors, LLC
    0c80CARDIOID - TECHNOLOGIES, LDA
    0c81Carrier Corporation
    0c82NACON
    0c83Watchdog Systems LLC
    0c84MAXON INDUSTRIES, INC.
    0c85Amlogic, Inc.
    0c86Qingdao Eastsoft Communication Technology Co.,Ltd
    0c87Weltek Technologies Company Limited
    0c88Nextivity Inc.
    0c89AGZZX OPTOELECTRONICS TECHNOLOGY CO., LTD
    0c8aARTISTIC&CO.GLOBAL Ltd.
    0c8bHeavys Inc
    0c8cT-Mobile USA
    0c8dtonies GmbH
    0c8eTechnocon Engineering Ltd.
    0c8fRadar Automobile Sales(Shandong)Co.,Ltd.
    0c90WESCO AG
    0c91Yashu Systems
    0c92Kesseböhmer Ergonomietechnik GmbH
    0c93Movesense Oy
    0c94Baxter Healthcare Corporation
    0c95Gemstone Lights Canada Ltd.
    0c96H+B Hightech GmbH
    0c97Deako
    0c98MiX Telematics International (PTY) LTD
    0c99Vire Health Oy
    0c9aALF Inc.
    0c9bNTT sonority, Inc.
    0c9cSunstone-RTLS Ipari Szolgaltato Korlatolt Felelossegu Tarsasag
    0c9dRibbiot, INC.
    0c9eECCEL CORPORATION SAS
    0c9fDragonfly Energy Corp.
    0ca0BIGBEN
    0ca1YAMAHA MOTOR CO.,LTD.
    0ca2XSENSE LTD
    0ca3MAQUET GmbH
    0ca4MITSUBISHI ELECTRIC LIGHTING CO, LTD
    0ca5Princess Cruise Lines, Ltd.
    0ca6Megger Ltd
    0ca7Verve InfoTec Pty Ltd
    0ca8Sonas, Inc.
    0ca9Mievo Technologies Private Limited
    0caaShenzhen Poseidon Network Technology Co., Ltd
    0cabHERUTU ELECTRONICS CORPORATION
    0cacShenzhen Shokz Co.,Ltd.
    0cadShenzhen Openhearing Tech CO., LTD .
    0caeEvident Corporation
    0cafNEURINNOV
    0cb0SwipeSense, Inc.
    0cb1RF Creations
    0cb2SHINKAWA Sensor Technology, Inc.
    0cb3janova GmbH
    0cb4Eberspaecher Climate Control Systems GmbH
    0cb5Racketry, d. o. o.
    0cb6THE EELECTRIC MACARON LLC
    0cb7Cucumber Lighting Controls Limited
    0cb8Shanghai Proxy Network Technology Co., Ltd.
    0cb9seca GmbH & Co. KG
    0cbaAmeso Tech (OPC) Private Limited
    0cbbEmlid Tech Kft.
    0cbcTROX GmbH
    0cbdPricer AB
    0cbeMissing Company ID from Bluetooth SIG Assigned Numbers
    0cbfForward Thinking Systems LLC.
    0cc0Garnet Instruments Ltd.
    0cc1CLEIO Inc.
    0cc2Anker Innovations Limited
    0cc3HMD Global Oy
    0cc4ABUS August Bremicker Soehne Kommanditgesellschaft
    0cc5Open Road Solutions, Inc.
    0cc6Serial Technology Corporation
    0cc7SB C&S Corp.
    0cc8TrikThom
    0cc9Innocent Technology Co., Ltd.
    0ccaCyclops Marine Ltd
    0ccbNOTHING TECHNOLOGY LIMITED
    0cccKord Defence Pty Ltd
    0ccdYanFeng Visteon(Chongqing) Automotive Electronic Co.,Ltd
    0cceSENOSPACE LLC
    0ccfShenzhen CESI Information Technology Co., Ltd.
    0cd0MooreSilicon Semiconductor Technology (Shanghai) Co., LTD.
    0cd1Imagine Marketing Limited
    0cd2EQOM SSC B.V.
    0cd3TechSwipe
    0cd4Shenzhen Zhiduotun IoT Technology Co., Ltd
    0cd5Numa Products, LLC
    0cd6HHO (Hangzhou) Digital Technology Co., Ltd.
    0cd7Maztech Industries, LLC
    0cd8SIA Mesh Group
    0cd9Minami acoustics Limited
    0cdaWolf Steel ltd
    0cdbCircus World Displays Limited
    0cdcYpsomed AG
    0cddAlif Semiconductor, Inc.
    0cdeRESPONSE TECHNOLOGIES, LTD.
    0cdfSHENZHEN CHENYUN ELECTRONICS CO., LTD
    0ce0VODALOGIC PTY LTD
    0ce1Regal Beloit America, Inc.
    0ce2CORVENT MEDICAL, INC.
    0ce3Taiwan Fuhsing
    0ce4Off-Highway Powertrain Services Germany GmbH
    0ce5Amina Distribution AS
    0ce6McWong International, Inc.
    0ce7TAG HEUER SA
    0ce8Dongguan Yougo Electronics Co.,Ltd.
    0ce9PEAG, LLC dba JLab Audio
    0ceaHAYWARD INDUSTRIES, INC
    0cebShenzhen Tingting Technology Co. LTD
    0cecPacific Coast Fishery Services (2003) Inc.
    0cedCV. NURI TEKNIK
    0ceeMadgeTech, Inc
    0cefPOGS B.V.
    0cf0THOTAKA TEKHNOLOGIES INDIA PRIVATE LIMITED
    0cf1Midmark
    0cf2BestSens AG
    0cf3Radio Sound
    0cf4SOLUX PTY LTD
    0cf5BOS Balance of Storage Systems AG
    0cf6OJ Electronics A/S
    0cf7TVS Motor Company Ltd.
    0cf8core sensing GmbH
    0cf9Tamblue Oy
    0cfaProtect Animals With Satellites LLC
    0cfbTyromotion GmbH
    0cfcElectronX design
    0cfdWuhan Woncan Construction Technologies Co., Ltd.
    0cfeThule Group AB
    0cffErgodriven Inc
    0d00Sparkpark AS
    0d01KEEPEN
    0d02Rocky Mountain ATV/MC Jake Wilson
    0d03MakuSafe Corp
    0d04Bartec Auto Id Ltd
    0d05Energy Technology and Control Limited
    0d06doubleO Co., Ltd.
    0d07Datalogic S.r.l.
    0d08Datalogic USA, Inc.
    0d09Leica Geosystems AG
    0d0aCATEYE Co., Ltd.
    0d0bResearch Products Corporation
    0d0cPlanmeca Oy
    0d0dC.Ed. Schulte GmbH Zylinderschlossfabrik
    0d0ePetVoice Co., Ltd.
    0d0fTimebirds Australia Pty Ltd
    0d10JVC KENWOOD Corporation
    0d11Great Dane LLC
    0d12Spartek Systems Inc.
    0d13MERRY ELECTRONICS CO., LTD.
    0d14Merry Electronics (S) Pte Ltd
    0d15Spark
    0d16Nations Technologies Inc.
    0d17Akix S.r.l.
    0d18Bioliberty Ltd
    0d19C.G. Air Systemes Inc.
    0d1aMaturix ApS
    0d1bRACHIO, INC.
    0d1cLIMBOID LLC
    0d1dElectronics4All Inc.
    0d1eFESTINA LOTUS SA
    0d1fSynkopi, Inc.
    0d20SCIENTERRA LIMITED
    0d21Cennox Group Limited
    0d22Cedarware, Corp.
    0d23GREE Electric Appliances, Inc. of Zhuhai
    0d24Japan Display Inc.
    0d25System Elite Holdings Group Limited
    0d26Burkert Werke GmbH & Co. KG
    0d27velocitux
    0d28FUJITSU COMPONENT LIMITED
    0d29MIYAKAWA ELECTRIC WORKS LTD
    0d2aPhysioLogic Devices, Inc.
    0d2bSensoryx AG
    0d2cSIL System Integration Laboratory GmbH
    0d2dCooler Pro, LLC
    0d2eAdvanced Electronic Applications, Inc
    0d2fDelta Development Team, Inc
    0d30Laxmi Therapeutic Devices, Inc.
    0d31SYNCHRON, INC.
    0d32Badger Meter
    0d33Micropower Group AB
    0d34ZILLIOT TECHNOLOGIES PRIVATE LIMITED
    0d35Universidad Politecnica de Madrid
    0d36XIHAO INTELLIGENGT TECHNOLOGY CO., LTD
    0d37Zerene Inc.
    0d38CycLock
    0d39Systemic Games, LLC
    0d3aFrost Solutions, LLC
    0d3bLone Star Marine Pty Ltd
    0d3cSIRONA Dental Systems GmbH
    0d3dbHaptics Inc.
    0d3eLUMINOAH, INC.
    0d3fVogels Products B.V.
    0d40SignalFire Telemetry, Inc.
    0d41CPAC Systems AB
    0d42TEKTRO TECHNOLOGY CORPORATION
    0d43Gosuncn Technology Group Co., Ltd.
    0d44Ex Makhina Inc.
    0d45Odeon, Inc.
    0d46Thales Simulation & Training AG
    0d47Shenzhen DOKE Electronic Co., Ltd
    0d48Vemcon GmbH
    0d49Refrigerated Transport Electronics, Inc.
    0d4aRockpile Solutions, LLC
    0d4bSoundwave Hearing, LLC
    0d4cIotGizmo Corporation
    0d4dOptec, LLC
    0d4eNIKAT SOLUTIONS PRIVATE LIMITED
    0d4fMovano Inc.
    0d50Ningbo Fotile Marketing Co.,Ltd.
    0d51Genetus inc.
    0d52DIVAN TRADING CO., LTD.
    0d53Luxottica Group S.p.A
    ffffBluetooth SIG Specification Reserved Default Vendor ID for Remote Devices Without Device ID Service Record.
    """#

  /// Services, characteristics, descriptors, declarations, members, SDOs, BR/EDR protocols and service classes.
  static let uuids16: StaticString = #"""
    0001SDP
    0003RFCOMM
    0005TCS-BIN
    0007ATT
    0008OBEX
    000fBNEP
    0010UPnP
    0011HIDP
    0012Hardcopy Control Channel
    0014Hardcopy Data Channel
    0016Hardcopy Notification
    0017AVCTP
    0019AVDTP
    001bCMTP
    001eMCAP Control Channel
    001fMCAP Data Channel
    0100L2CAP
    1000Service Discovery Server
    1001Browse Group Descriptor
    1002Public Browse Group
    1101Serial Port
    1102LAN Access Using PPP
    1103Dial-up Networking
    1104IrMC Sync
    1105OBEX Object Push
    1106OBEX File Transfer
    1107IrMC Sync Command
    1108Headset
    1109Cordless Telephony
    110aAudio Source
    110bAudio Sink
    110cA/V Remote Control Target
    110dAdvanced Audio Distribution
    110eA/V Remote Control
    110fA/V Remote Control Controller
    1110Intercom
    1111Fax
    1112Headset Audio Gateway
    1115PANU
    1116NAP
    1117GN
    1118Direct Printing
    1119Reference Printing
    111aBasic Imaging Profile
    111bImaging Responder
    111cImaging Automatic Archive
    111dImaging Referenced Objects
    111eHands-Free
    111fHands-Free Audio Gateway
    1124Human Interface Device Service
    1125Hardcopy Cable Replacement
    112dSIM Access
    112ePhonebook Access Client
    112fPhonebook Access Server
    1130Phonebook Access Profile
    1131Headset HS
    1132Message Access Server
    1133Message Notification Server
    1134Message Access Profile
    1135GNSS
    1136GNSS Server
    113aMPS Profile
    113bMPS Service Class
    113eCalendar, Tasks and Notes Profile
    1200PnP Information
    1201Generic Networking
    1203Generic Audio
    1204Generic Telephony
    1233Deprecated Fast Pair Model ID
    1234Deprecated Fast Pair Key-based Pairing
    1235Deprecated Fast Pair Passkey
    1236Deprecated Fast Pair Account Key
    1237Deprecated Fast Pair Data
    1303Video Source
    1304Video Sink
    1305Video Distribution
    1400Health Device Profile
    1401Health Device Source
    1402Health Device Sink
    1800Generic Access
    1801Generic Attribute
    1802Immediate Alert
    1803Link Loss
    1804Tx Power
    1805Current Time Service
    1806Reference Time Update Service
    1807Next DST Change Service
    1808Glucose
    1809Health Thermometer
    180aDevice Information
    180dHeart Rate
    180ePhone Alert Status Service
    180fBattery Service
    1810Blood Pressure
    1811Alert Notification Service
    1812Human Interface Device
    1813Scan Parameters
    1814Running Speed and Cadence
    1815Automation IO
    1816Cycling Speed and Cadence
    1818Cycling Power
    1819Location and Navigation
    181aEnvironmental Sensing
    181bBody Composition
    181cUser Data
    181dWeight Scale
    181eBond Management Service
    181fContinuous Glucose Monitoring
    1820Internet Protocol Support Service
    1821Indoor Positioning
    1822Pulse Oximeter Service
    1823HTTP Proxy
    1824Transport Discovery
    1825Object Transfer Service
    1826Fitness Machine
    1827Mesh Provisioning Service
    1828Mesh Proxy Service
    1829Reconnection Configuration
    183aInsulin Delivery
    183bBinary Sensor
    183cEmergency Configuration
    183ePhysical Activity Monitor
    1843Audio Input Control
    1844Volume Control
    1845Volume Offset Control
    1846Coordinated Set Identification
    1847Device Time
    1848Media Control
    1849Generic Media Control
    184aConstant Tone Extension
    184bTelephone Bearer
    184cGeneric Telephone Bearer
    184dMicrophone Control
    184eAudio Stream Control
    184fBroadcast Audio Scan
    1850Published Audio Capabilities
    1851Basic Audio Announcement
    1852Broadcast Audio Announcement
    1853Common Audio
    1854Hearing Access
    1855TMAS
    2800Primary Service
    2801Secondary Service
    2802Include
    2803Characteristic
    2900Characteristic Extended Properties
    2901Characteristic User Descriptor
    2902Client Characteristic Configuration
    2903Server Characteristic Configuration
    2904Characteristic Presentation Format
    2905Characteristic Aggregate Format
    2906Valid Range
    2907External Report Reference
    2908Report Reference
    2909Number of Digitals
    290aValue Trigger Setting
    290bEnvironmental Sensing Configuration
    290cEnvironmental Sensing Measurement
    290dEnvironmental Sensing Trigger Setting
    290eTime Trigger Setting
    290fComplete BR-EDR Transport Block Data
    2a00Device Name
    2a01Appearance
    2a02Peripheral Privacy Flag
    2a03Reconnection Address
    2a04Peripheral Preferred Connection Parameters
    2a05Service Changed
    2a06Alert Level
    2a07Tx Power Level
    2a08Date Time
    2a09Day of Week
    2a0aDay Date Time
    2a0bExact Time 100
    2a0cExact Time 256
    2a0dDST Offset
    2a0eTime Zone
    2a0fLocal Time Information
    2a10Secondary Time Zone
    2a11Time with DST
    2a12Time Accuracy
    2a13Time Source
    2a14Reference Time Information
    2a15Time Broadcast
    2a16Time Update Control Point
    2a17Time Update State
    2a18Glucose Measurement
    2a19Battery Level
    2a1aBattery Power State
    2a1bBattery Level State
    2a1cTemperature Measurement
    2a1dTemperature Type
    2a1eIntermediate Temperature
    2a1fTemperature Celsius
    2a20Temperature Fahrenheit
    2a21Measurement Interval
    2a22Boot Keyboard Input Report
    2a23System ID
    2a24Model Number String
    2a25Serial Number String
    2a26Firmware Revision String
    2a27Hardware Revision String
    2a28Software Revision String
    2a29Manufacturer Name String
    2a2aIEEE 11073-20601 Regulatory Certification Data List
    2a2bCurrent Time
    2a2cMagnetic Declination
    2a2fPosition 2D
    2a30Position 3D
    2a31Scan Refresh
    2a32Boot Keyboard Output Report
    2a33Boot Mouse Input Report
    2a34Glucose Measurement Context
    2a35Blood Pressure Measurement
    2a36Intermediate Cuff Pressure
    2a37Heart Rate Measurement
    2a38Body Sensor Location
    2a39Heart Rate Control Point
    2a3aRemovable
    2a3bService Required
    2a3cScientific Temperature Celsius
    2a3dString
    2a3eNetwork Availability
    2a3fAlert Status
    2a40Ringer Control point
    2a41Ringer Setting
    2a42Alert Category ID Bit Mask
    2a43Alert Category ID
    2a44Alert Notification Control Point
    2a45Unread Alert Status
    2a46New Alert
    2a47Supported New Alert Category
    2a48Supported Unread Alert Category
    2a49Blood Pressure Feature
    2a4aHID Information
    2a4bReport Map
    2a4cHID Control Point
    2a4dReport
    2a4eProtocol Mode
    2a4fScan Interval Window
    2a50PnP ID
    2a51Glucose Feature
    2a52Record Access Control Point
    2a53RSC Measurement
    2a54RSC Feature
    2a55SC Control Point
    2a56Digital
    2a57Digital Output
    2a58Analog
    2a59Analog Output
    2a5aAggregate
    2a5bCSC Measurement
    2a5cCSC Feature
    2a5dSensor Location
    2a5ePLX Spot-Check Measurement
    2a5fPLX Continuous Measurement Characteristic
    2a60PLX Features
    2a62Pulse Oximetry Control Point
    2a63Cycling Power Measurement
    2a64Cycling Power Vector
    2a65Cycling Power Feature
    2a66Cycling Power Control Point
    2a67Location and Speed Characteristic
    2a68Navigation
    2a69Position Quality
    2a6aLN Feature
    2a6bLN Control Point
    2a6cElevation
    2a6dPressure
    2a6eTemperature
    2a6fHumidity
    2a70True Wind Speed
    2a71True Wind Direction
    2a72Apparent Wind Speed
    2a73Apparent Wind Direction
    2a74Gust Factor
    2a75Pollen Concentration
    2a76UV Index
    2a77Irradiance
    2a78Rainfall
    2a79Wind Chill
    2a7aHeat Index
    2a7bDew Point
    2a7dDescriptor Value Changed
    2a7eAerobic Heart Rate Lower Limit
    2a7fAerobic Threshold
    2a80Age
    2a81Anaerobic Heart Rate Lower Limit
    2a82Anaerobic Heart Rate Upper Limit
    2a83Anaerobic Threshold
    2a84Aerobic Heart Rate Upper Limit
    2a85Date of Birth
    2a86Date of Threshold Assessment
    2a87Email Address
    2a88Fat Burn Heart Rate Lower Limit
    2a89Fat Burn Heart Rate Upper Limit
    2a8aFirst Name
    2a8bFive Zone Heart Rate Limits
    2a8cGender
    2a8dHeart Rate Max
    2a8eHeight
    2a8fHip Circumference
    2a90Last Name
    2a91Maximum Recommended Heart Rate
    2a92Resting Heart Rate
    2a93Sport Type for Aerobic and Anaerobic Thresholds
    2a94Three Zone Heart Rate Limits
    2a95Two Zone Heart Rate Limit
    2a96VO2 Max
    2a97Waist Circumference
    2a98Weight
    2a99Database Change Increment
    2a9aUser Index
    2a9bBody Composition Feature
    2a9cBody Composition Measurement
    2a9dWeight Measurement
    2a9eWeight Scale Feature
    2a9fUser Control Point
    2aa0Magnetic Flux Density - 2D
    2aa1Magnetic Flux Density - 3D
    2aa2Language
    2aa3Barometric Pressure Trend
    2aa4Bond Management Control Point
    2aa5Bond Management Features
    2aa6Central Address Resolution
    2aa7CGM Measurement
    2aa8CGM Feature
    2aa9CGM Status
    2aaaCGM Session Start Time
    2aabCGM Session Run Time
    2aacCGM Specific Ops Control Point
    2aadIndoor Positioning Configuration
    2aaeLatitude
    2aafLongitude
    2ab0Local North Coordinate
    2ab1Local East Coordinate
    2ab2Floor Number
    2ab3Altitude
    2ab4Uncertainty
    2ab5Location Name
    2ab6URI
    2ab7HTTP Headers
    2ab8HTTP Status Code
    2ab9HTTP Entity Body
    2abaHTTP Control Point
    2abbHTTPS Security
    2abcTDS Control Point
    2abdOTS Feature
    2abeObject Name
    2abfObject Type
    2ac0Object Size
    2ac1Object First-Created
    2ac2Object Last-Modified
    2ac3Object ID
    2ac4Object Properties
    2ac5Object Action Control Point
    2ac6Object List Control Point
    2ac7Object List Filter
    2ac8Object Changed
    2ac9Resolvable Private Address Only
    2accFitness Machine Feature
    2acdTreadmill Data
    2aceCross Trainer Data
    2acfStep Climber Data
    2ad0Stair Climber Data
    2ad1Rower Data
    2ad2Indoor Bike Data
    2ad3Training Status
    2ad4Supported Speed Range
    2ad5Supported Inclination Range
    2ad6Supported Resistance Level Range
    2ad7Supported Heart Rate Range
    2ad8Supported Power Range
    2ad9Fitness Machine Control Point
    2adaFitness Machine Status
    2adbMesh Provisioning Data In
    2adcMesh Provisioning Data Out
    2addMesh Proxy Data In
    2adeMesh Proxy Data Out
    2ae0Average Current
    2ae1Average Voltage
    2ae2Boolean
    2ae3Chromatic Distance From Planckian
    2ae4Chromaticity Coordinates
    2ae5Chromaticity In CCT And Duv Values
    2ae6Chromaticity Tolerance
    2ae7CIE 13.3-1995 Color Rendering Index
    2ae8Coefficient
    2ae9Correlated Color Temperature
    2aeaCount 16
    2aebCount 24
    2aecCountry Code
    2aedDate UTC
    2aeeElectric Current
    2aefElectric Current Range
    2af0Electric Current Specification
    2af1Electric Current Statistics
    2af2Energy
    2af3Energy In A Period Of Day
    2af4Event Statistics
    2af5Fixed String 16
    2af6Fixed String 24
    2af7Fixed String 36
    2af8Fixed String 8
    2af9Generic Level
    2afaGlobal Trade Item Number
    2afbIlluminance
    2afcLuminous Efficacy
    2afdLuminous Energy
    2afeLuminous Exposure
    2affLuminous Flux
    2b00Luminous Flux Range
    2b01Luminous Intensity
    2b02B02 Mass Flow
    2b03Perceived Lightness
    2b04Percentage 8
    2b05Power
    2b06Power Specification
    2b07Relative Runtime In A Current Range
    2b08Relative Runtime In A Generic Level Range
    2b09Relative Value In A Voltage Range
    2b0aRelative Value In An Illuminance Range
    2b0bRelative Value In A Period Of Day
    2b0cRelative Value In A Temperature Range
    2b0dTemperature 8
    2b0eTemperature 8 In A Period Of Day
    2b0fTemperature 8 Statistics
    2b10Temperature Range
    2b11Temperature Statistics
    2b12Time Decihour 8
    2b13Time Exponential 8
    2b14Time Hour 24
    2b15Time Millisecond 24
    2b16Time Second 16
    2b17Time Second 8
    2b18Voltage
    2b19Voltage Specification
    2b1aVoltage Statistics
    2b1bVolume Flow
    2b1cChromaticity Coordinate
    2b1dRC Feature
    2b1eRC Settings
    2b1fReconnection Configuration Control Point
    2b20IDD Status Changed
    2b21IDD Status
    2b22IDD Annunciation Status
    2b23IDD Features
    2b24IDD Status Reader Control Point
    2b25IDD Command Control Point
    2b26IDD Command Data
    2b27IDD Record Access Control Point
    2b28IDD History Data
    2b29Client Supported Features
    2b2aDatabase Hash
    2b2bBSS Control Point
    2b2cBSS Response
    2b2dEmergency ID
    2b2eEmergency Text
    2b34Enhanced Blood Pressure Measurement
    2b35Enhanced Intermediate Cuff Pressure
    2b36Blood Pressure Record
    2b38BR-EDR Handover Data
    2b39Bluetooth SIG Data
    2b3aServer Supported Features
    2b3bPhysical Activity Monitor Features
    2b3cGeneral Activity Instantaneous Data
    2b3dGeneral Activity Summary Data
    2b3eCardioRespiratory Activity Instantaneous Data
    2b3fCardioRespiratory Activity Summary Data
    2b40Step Counter Activity Summary Data
    2b41Sleep Activity Instantaneous Data
    2b42Sleep Activity Summary Data
    2b43Physical Activity Monitor Control Point
    2b44Activity Current Session
    2b45Physical Activity Session Descriptor
    2b46Preferred Units
    2b47High Resolution Height
    2b48Middle Name
    2b49Stride Length
    2b4aHandedness
    2b4bDevice Wearing Position
    2b4cFour Zone Heart Rate Limits
    2b4dHigh Intensity Exercise Threshold
    2b4eActivity Goal
    2b4fSedentary Interval Notification
    2b50Caloric Intake
    2b51TMAP Role
    2b77Audio Input State
    2b78Gain Settings Attribute
    2b79Audio Input Type
    2b7aAudio Input Status
    2b7bAudio Input Control Point
    2b7cAudio Input Description
    2b7dVolume State
    2b7eVolume Control Point
    2b7fVolume Flags
    2b80Volume Offset State
    2b81Audio Location
    2b82Volume Offset Control Point
    2b83Audio Output Description
    2b84Set Identity Resolving Key
    2b85Coordinated Set Size
    2b86Set Member Lock
    2b87Set Member Rank
    2b8eDevice Time Feature
    2b8fDevice Time Parameters
    2b90Device Time
    2b91Device Time Control Point
    2b92Time Change Log Data
    2b93Media Player Name
    2b94Media Player Icon Object ID
    2b95Media Player Icon URL
    2b96Track Changed
    2b97Track Title
    2b98Track Duration
    2b99Track Position
    2b9aPlayback Speed
    2b9bSeeking Speed
    2b9cCurrent Track Segments Object ID
    2b9dCurrent Track Object ID
    2b9eNext Track Object ID
    2b9fParent Group Object ID
    2ba0Current Group Object ID
    2ba1Playing Order
    2ba2Playing Orders Supported
    2ba3Media State
    2ba4Media Control Point
    2ba5Media Control Point Opcodes Supported
    2ba6Search Results Object ID
    2ba7Search Control Point
    2ba9Media Player Icon Object Type
    2baaTrack Segments Object Type
    2babTrack Object Type
    2bacGroup Object Type
    2badConstant Tone Extension Enable
    2baeAdvertising Constant Tone Extension Minimum Length
    2bafAdvertising Constant Tone Extension Minimum Transmit Count
    2bb0Advertising Constant Tone Extension Transmit Duration
    2bb1Advertising Constant Tone Extension Interval
    2bb2Advertising Constant Tone Extension PHY
    2bb3Bearer Provider Name
    2bb4Bearer UCI
    2bb5Bearer Technology
    2bb6Bearer URI Schemes Supported List
    2bb7Bearer Signal Strength
    2bb8Bearer Signal Strength Reporting Interval
    2bb9Bearer List Current Calls
    2bbaContent Control ID
    2bbbStatus Flags
    2bbcIncoming Call Target Bearer URI
    2bbdCall State
    2bbeCall Control Point
    2bbfCall Control Point Optional Opcodes
    2bc0Termination Reason
    2bc1Incoming Call
    2bc2Call Friendly Name
    2bc3Mute
    2bc4Sink ASE
    2bc5Source ASE
    2bc6ASE Control Point
    2bc7Broadcast Audio Scan Control Point
    2bc8Broadcast Receive State
    2bc9Sink PAC
    2bcaSink Audio Locations
    2bcbSource PAC
    2bccSource Audio Locations
    2bcdAvailable Audio Contexts
    2bceSupported Audio Contexts
    2bcfAmmonia Concentration
    2bd0Carbon Monoxide Concentration
    2bd1Methane Concentration
    2bd2Nitrogen Dioxide Concentration
    2bd3Non-Methane Volatile Organic Compounds Concentration
    2bd4Ozone Concentration
    2bd5Particulate Matter - PM1 Concentration
    2bd6Particulate Matter - PM2.5 Concentration
    2bd7Particulate Matter - PM10 Concentration
    2bd8Sulfur Dioxide Concentration
    2bd9Sulfur Hexafluoride Concentration
    2bdaHearing Aid Features
    2bdbHearing Aid Preset Control Point
    2bdcActive Preset Index
    2be9Battery Critical Status
    2beaBattery Health Status
    2bebBattery Health Information
    2becBattery Information
    2bedBattery Level Status
    2beeBattery Time Status
    2befEstimated Service Date
    2bf0Battery Energy Status
    fc75Xiaomi Inc.
    fc76Weber-Stephen Products LLC
    fc77SING SUN TECHNOLOGY (INTERNATIONAL) LIMITED
    fc78DHL
    fc79LG Electronics Inc.
    fc7aOutshiny India Private Limited
    fc7bTesto SE & Co. KGaA
    fc7cMotorola Mobility, LLC
    fc7dMML US, Inc
    fc7eHarman International
    fc7fSouthco
    fc80TELE System Communications Pte. Ltd.
    fc81Axon Enterprise, Inc.
    fc82Zwift, Inc.
    fc83iHealth Labs, Inc.
    fc84NINGBO FOTILE KITCHENWARE CO., LTD.
    fc85Zhejiang Huanfu Technology Co., LTD
    fc86Samsara Networks, Inc
    fc87Samsara Networks, Inc
    fc88CCC del Uruguay
    fc89Intel Corporation
    fc8aIntel Corporation
    fc8bKaspersky Lab Middle East FZ-LLC
    fc8cSES-Imagotag
    fc8dCaire Inc.
    fc8eBlue Iris Labs, Inc.
    fc8fBose Corporation
    fc90Wiliot LTD.
    fc91Samsung Electronics Co., Ltd.
    fc92Furuno Electric Co., Ltd.
    fc93Komatsu Ltd.
    fc94Apple Inc.
    fc95Hippo Camp Software Ltd.
    fc96LEGO System A/S
    fc97Japan Display Inc.
    fc98Ruuvi Innovations Ltd.
    fc99Badger Meter
    fc9aPlockat Solutions AB
    fc9bMerry Electronics (S) Pte Ltd
    fc9cBinary Power, Inc.
    fc9dLenovo (Singapore) Pte Ltd.
    fc9eDell Computer Corporation
    fc9fDelta Development Team, Inc
    fca0Apple Inc.
    fca1PF SCHWEISSTECHNOLOGIE GMBH
    fca2Meizu Technology Co., Ltd.
    fca3Gunnebo Aktiebolag
    fca4HP Inc.
    fca5HAYWARD INDUSTRIES, INC.
    fca6Hubble Network Inc.
    fca7Hubble Network Inc.
    fca8Medtronic Inc.
    fca9Medtronic Inc.
    fcaaSpintly, Inc.
    fcabIRISS INC.
    fcacIRISS INC.
    fcadBeijing 99help Safety Technology Co., Ltd
    fcaeImagine Marketing Limited
    fcafAltoBeam Inc.
    fcb0Ford Motor Company
    fcb1Google LLC
    fcb2Apple Inc.
    fcb3SWEEN
    fcb4OMRON HEALTHCARE Co., Ltd.
    fcb5OMRON HEALTHCARE Co., Ltd.
    fcb6OMRON HEALTHCARE Co., Ltd.
    fcb7T-Mobile USA
    fcb8Ribbiot, INC.
    fcb9Lumi United Technology Co., Ltd
    fcbaBlueID GmbH
    fcbbSharkNinja Operating LLC
    fcbcDrowsy Digital, Inc.
    fcbdToshiba Corporation
    fcbeMusen Connect, Inc.
    fcbfASSA ABLOY Opening Solutions Sweden AB
    fcc0Xiaomi Inc.
    fcc1TIMECODE SYSTEMS LIMITED
    fcc2Qualcomm Technologies, Inc.
    fcc3HP Inc.
    fcc4OMRON(DALIAN) CO,.LTD.
    fcc5OMRON(DALIAN) CO,.LTD.
    fcc6Wiliot LTD.
    fcc7PB INC.
    fcc8Allthenticate, Inc.
    fcc9SkyHawke Technologies
    fccaCosmed s.r.l.
    fccbTOTO LTD.
    fcccWi-Fi Easy Connect Specification
    fccdZound Industries International AB
    fcceLuna Health, Inc.
    fccfGoogle LLC
    fcd0Laerdal Medical AS
    fcd1Shenzhen Benwei Media Co.,Ltd.
    fcd2Allterco Robotics ltd
    fcd3Fisher & Paykel Healthcare
    fcd4OMRON HEALTHCARE
    fcd5Nortek Security & Control
    fcd6SWISSINNO SOLUTIONS AG
    fcd7PowerPal Pty Ltd
    fcd8Appex Factory S.L.
    fcd9Huso, INC
    fcdaDraeger
    fcdbaconno GmbH
    fcdcAmazon.com Services, LLC
    fcddMobilaris AB
    fcdeARCTOP, INC.
    fcdfNIO USA, Inc.
    fce0Akciju sabiedriba "SAF TEHNIKA"
    fce1Sony Group Corporation
    fce2Baracoda Daily Healthtech
    fce3Smith & Nephew Medical Limited
    fce4Samsara Networks, Inc
    fce5Samsara Networks, Inc
    fce6Guard RFID Solutions Inc.
    fce7TKH Security B.V.
    fce8ITT Industries
    fce9MindRhythm, Inc.
    fceaChess Wise B.V.
    fcebAvi-On
    fcecGriffwerk GmbH
    fcedWorkaround Gmbh
    fceeVelentium, LLC
    fcefDivesoft s.r.o.
    fcf0Security Enhancement Systems, LLC
    fcf1Google LLC
    fcf2Bitwards Oy
    fcf3Armatura LLC
    fcf4Allegion
    fcf5Trident Communication Technology, LLC
    fcf6The Linux Foundation
    fcf7Honor Device Co., Ltd.
    fcf8Honor Device Co., Ltd.
    fcf9Leupold & Stevens, Inc.
    fcfaLeupold & Stevens, Inc.
    fcfbShenzhen Benwei Media Co., Ltd.
    fcfcBarrot Technology Co.,Ltd.
    fcfdBarrot Technology Co.,Ltd.
    fcfeSonova Consumer Hearing GmbH
    fcff701x
    fd00FUTEK Advanced Sensor Technology, Inc.
    fd01Sanvita Medical Corporation
    fd02LEGO System A/S
    fd03Quuppa Oy
    fd04Shure Inc.
    fd05Qualcomm Technologies, Inc.
    fd06RACE-AI LLC
    fd07Swedlock AB
    fd08Bull Group Incorporated Company
    fd09Cousins and Sears LLC
    fd0aLuminostics, Inc.
    fd0bLuminostics, Inc.
    fd0cOSM HK Limited
    fd0dBlecon Advertising Service
    fd0eHerdDogg, Inc
    fd0fAEON MOTOR CO.,LTD.
    fd10AEON MOTOR CO.,LTD.
    fd11AEON MOTOR CO.,LTD.
    fd12AEON MOTOR CO.,LTD.
    fd13BRG Sports, Inc.
    fd14BRG Sports, Inc.
    fd15Panasonic Corporation
    fd16Sensitech, Inc.
    fd17LEGIC Identsystems AG
    fd18LEGIC Identsystems AG
    fd19Smith & Nephew Medical Limited
    fd1aCSIRO
    fd1bHelios Sports, Inc.
    fd1cBrady Worldwide Inc.
    fd1dSamsung Electronics Co., Ltd
    fd1ePlume Design Inc.
    fd1f3M
    fd20GN Hearing A/S
    fd21Huawei Technologies Co., Ltd.
    fd22Huawei Technologies Co., Ltd.
    fd23DOM Sicherheitstechnik GmbH & Co. KG
    fd24GD Midea Air-Conditioning Equipment Co., Ltd.
    fd25GD Midea Air-Conditioning Equipment Co., Ltd.
    fd26Novo Nordisk A/S
    fd27Integrated Illumination Systems, Inc.
    fd28Julius Blum GmbH
    fd29Asahi Kasei Corporation
    fd2aSony Corporation
    fd2bThe Access Technologies
    fd2cThe Access Technologies
    fd2dXiaomi Inc.
    fd2eBitstrata Systems Inc.
    fd2fBitstrata Systems Inc.
    fd30Sesam Solutions BV
    fd31LG Electronics Inc.
    fd32Gemalto Holding BV
    fd33DashLogic, Inc.
    fd34Aerosens LLC.
    fd35Transsion Holdings Limited
    fd36Google LLC
    fd37TireCheck GmbH
    fd38Danfoss A/S
    fd39PREDIKTAS
    fd3aVerkada Inc.
    fd3bVerkada Inc.
    fd3cRedline Communications Inc.
    fd3dWoan Technology (Shenzhen) Co., Ltd.
    fd3ePure Watercraft, inc.
    fd3fCognosos, Inc
    fd40Beflex Inc.
    fd41Amazon Lab126
    fd42Globe (Jiangsu) Co.,Ltd
    fd43Apple Inc.
    fd44Apple Inc.
    fd45GB Solution co.,Ltd
    fd46Lemco IKE
    fd47Liberty Global Inc.
    fd48Geberit International AG
    fd49Panasonic Corporation
    fd4aSigma Elektro GmbH
    fd4bSamsung Electronics Co., Ltd.
    fd4cAdolf Wuerth GmbH & Co KG
    fd4d70mai Co.,Ltd.
    fd4e70mai Co.,Ltd.
    fd4fSONITOR TECHNOLOGIES AS
    fd50Hangzhou Tuya Information Technology Co., Ltd
    fd51UTC Fire and Security
    fd52UTC Fire and Security
    fd53PCI Private Limited
    fd54Qingdao Haier Technology Co., Ltd.
    fd55Braveheart Wireless, Inc.
    fd56Resmed Ltd
    fd57Volvo Car Corporation
    fd58Volvo Car Corporation
    fd59Samsung Electronics Co., Ltd.
    fd5aSamsung Electronics Co., Ltd.
    fd5bV2SOFT INC.
    fd5cReact Mobile
    fd5dmaxon motor ltd.
    fd5eTapkey GmbH
    fd5fMeta Platforms Technologies, LLC
    fd60Sercomm Corporation
    fd61Arendi AG
    fd62Google LLC
    fd63Google LLC
    fd64INRIA
    fd65Razer Inc.
    fd66Zebra Technologies Corporation
    fd67Montblanc Simplo GmbH
    fd68Ubique Innovation AG
    fd69Samsung Electronics Co., Ltd
    fd6aEmerson
    fd6brapitag GmbH
    fd6cSamsung Electronics Co., Ltd.
    fd6dSigma Elektro GmbH
    fd6ePolidea sp. z o.o.
    fd6fExposure Notification Service
    fd70GuangDong Oppo Mobile Telecommunications Corp., Ltd
    fd71GN Hearing A/S
    fd72Logitech International SA
    fd73BRControls Products BV
    fd74BRControls Products BV
    fd75Insulet Corporation
    fd76Insulet Corporation
    fd77Withings
    fd78Withings
    fd79Withings
    fd7aWithings
    fd7bWYZE LABS, INC.
    fd7cToshiba Information Systems(Japan) Corporation
    fd7dCenter for Advanced Research Wernher Von Braun
    fd7eSamsung Electronics Co., Ltd.
    fd7fHusqvarna AB
    fd80Phindex Technologies, Inc
    fd81CANDY HOUSE, Inc.
    fd82Sony Corporation
    fd83iNFORM Technology GmbH
    fd84Tile, Inc.
    fd85Husqvarna AB
    fd86Abbott
    fd87Google LLC
    fd88Urbanminded LTD
    fd89Urbanminded LTD
    fd8aSignify Netherlands B.V.
    fd8bJigowatts Inc.
    fd8cGoogle LLC
    fd8dquip NYC Inc.
    fd8eMotorola Solutions
    fd8fMatrix ComSec Pvt. Ltd.
    fd90Guangzhou SuperSound Information Technology Co.,Ltd
    fd91Groove X, Inc.
    fd92Qualcomm Technologies International, Ltd. (QTIL)
    fd93Bayerische Motoren Werke AG
    fd94Hewlett Packard Enterprise
    fd95Rigado
    fd96Google LLC
    fd97June Life, Inc.
    fd98Disney Worldwide Services, Inc.
    fd99ABB Oy
    fd9aHuawei Technologies Co., Ltd.
    fd9bHuawei Technologies Co., Ltd.
    fd9cHuawei Technologies Co., Ltd.
    fd9dGastec Corporation
    fd9eThe Coca-Cola Company
    fd9fVitalTech Affiliates LLC
    fda0Secugen Corporation
    fda1Groove X, Inc
    fda2Groove X, Inc
    fda3Inseego Corp.
    fda4Inseego Corp.
    fda5Neurostim OAB, Inc.
    fda6WWZN Information Technology Company Limited
    fda7WWZN Information Technology Company Limited
    fda8PSA Peugeot Citroën
    fda9Rhombus Systems, Inc.
    fdaaXiaomi Inc.
    fdabXiaomi Inc.
    fdacTentacle Sync GmbH
    fdadHouwa System Design, k.k.
    fdaeHouwa System Design, k.k.
    fdafWiliot LTD
    fdb0Oura Health Ltd
    fdb1Oura Health Ltd
    fdb2Portable Multimedia Ltd
    fdb3Audiodo AB
    fdb4HP Inc
    fdb5ECSG
    fdb6GWA Hygiene GmbH
    fdb7LivaNova USA Inc.
    fdb8LivaNova USA Inc.
    fdb9Comcast Cable Corporation
    fdbaComcast Cable Corporation
    fdbbProfoto
    fdbcEmerson
    fdbdClover Network, Inc.
    fdbeCalifornia Things Inc.
    fdbfCalifornia Things Inc.
    fdc0Hunter Douglas
    fdc1Hunter Douglas
    fdc2Baidu Online Network Technology (Beijing) Co., Ltd
    fdc3Baidu Online Network Technology (Beijing) Co., Ltd
    fdc4Simavita (Aust) Pty Ltd
    fdc5Automatic Labs
    fdc6Eli Lilly and Company
    fdc7Eli Lilly and Company
    fdc8Hach - Danaher
    fdc9Busch-Jaeger Elektro GmbH
    fdcaFortin Electronic Systems
    fdcbMeggitt SA
    fdccShoof Technologies
    fdcdQingping Technology (Beijing) Co., Ltd.
    fdceSENNHEISER electronic GmbH & Co. KG
    fdcfNalu Medical, Inc
    fdd0Huawei Technologies Co., Ltd
    fdd1Huawei Technologies Co., Ltd
    fdd2Bose Corporation
    fdd3FUBA Automotive Electronics GmbH
    fdd4LX Solutions Pty Limited
    fdd5Brompton Bicycle Ltd
    fdd6Ministry of Supply
    fdd7Emerson
    fdd8Jiangsu Teranovo Tech Co., Ltd.
    fdd9Jiangsu Teranovo Tech Co., Ltd.
    fddaMHCS
    fddbSamsung Electronics Co., Ltd.
    fddc4iiii Innovations Inc.
    fdddArch Systems Inc
    fddeNoodle Technology Inc.
    fddfHarman International
    fde0John Deere
    fde1Fortin Electronic Systems
    fde2Google LLC
    fde3Abbott Diabetes Care
    fde4JUUL Labs, Inc.
    fde5SMK Corporation
    fde6Intelletto Technologies Inc
    fde7SECOM Co., LTD
    fde8Robert Bosch GmbH
    fde9Spacesaver Corporation
    fdeaSeeScan, Inc
    fdebSyntronix Corporation
    fdecMannkind Corporation
    fdedPole Star
    fdeeHuawei Technologies Co., Ltd.
    fdefART AND PROGRAM, INC.
    fdf0Google LLC
    fdf1LAMPLIGHT Co.,Ltd
    fdf2AMICCOM Electronics Corporation
    fdf3Amersports
    fdf4O. E. M. Controls, Inc.
    fdf5Milwaukee Electric Tools
    fdf6AIAIAI ApS
    fdf7HP Inc.
    fdf8Onvocal
    fdf9INIA
    fdfaTandem Diabetes Care
    fdfbTandem Diabetes Care
    fdfcOptrel AG
    fdfdRecursiveSoft Inc.
    fdfeADHERIUM(NZ) LIMITED
    fdffOSRAM GmbH
    fe00Amazon.com Services, Inc.
    fe01Duracell U.S. Operations Inc.
    fe02Robert Bosch GmbH
    fe03Amazon.com Services, Inc.
    fe04Motorola Solutions, Inc.
    fe05CORE Transport Technologies NZ Limited
    fe06Qualcomm Technologies, Inc.
    fe07Sonos, Inc.
    fe08Microsoft
    fe09Pillsy, Inc.
    fe0aruwido austria gmbh
    fe0bruwido austria gmbh
    fe0cProcter & Gamble
    fe0dProcter & Gamble
    fe0eSetec Pty Ltd
    fe0fSignify Netherlands B.V. (formerly Philips Lighting) Service
    fe10LAPIS Technology Co., Ltd.
    fe11GMC-I Messtechnik GmbH
    fe12M-Way Solutions GmbH
    fe13Apple Inc.
    fe14Flextronics International USA Inc.
    fe15Amazon.com Services, Inc..
    fe16Footmarks, Inc.
    fe17Telit Wireless Solutions GmbH
    fe18Runtime, Inc.
    fe19Google LLC
    fe1aTyto Life LLC
    fe1bTyto Life LLC
    fe1cNetMedia, Inc.
    fe1dIlluminati Instrument Corporation
    fe1eLAMPLIGHT Co., Ltd.
    fe1fGarmin International, Inc.
    fe20Emerson
    fe21Bose Corporation
    fe22Zoll Medical Corporation
    fe23Zoll Medical Corporation
    fe24August Home Inc
    fe25Apple, Inc.
    fe26Google LLC
    fe27Google LLC
    fe28Ayla Networks
    fe29Gibson Innovations
    fe2aDaisyWorks, Inc.
    fe2bITT Industries
    fe2cFast Pair Service
    fe2dLAMPLIGHT Co., Ltd.
    fe2eERi,Inc.
    fe2fCRESCO Wireless, Inc
    fe30Volkswagen AG
    fe31Volkswagen AG
    fe32Pro-Mark, Inc.
    fe33CHIPOLO d.o.o.
    fe34SmallLoop LLC
    fe35HUAWEI Technologies Co., Ltd
    fe36HUAWEI Technologies Co., Ltd
    fe37Spaceek LTD
    fe38Spaceek LTD
    fe39TTS Tooltechnic Systems AG & Co. KG
    fe3aTTS Tooltechnic Systems AG & Co. KG
    fe3bDolby Laboratories
    fe3calibaba
    fe3dBD Medical
    fe3eBD Medical
    fe3fFriday Labs Limited
    fe40Inugo Systems Limited
    fe41Inugo Systems Limited
    fe42Nets A/S
    fe43Andreas Stihl AG & Co. KG
    fe44SK Telecom
    fe45Snapchat Inc
    fe46B&O Play A/S
    fe47General Motors
    fe48General Motors
    fe49SenionLab AB
    fe4aOMRON HEALTHCARE Co., Ltd.
    fe4bSignify Netherlands B.V. (formerly Philips Lighting B.V.)
    fe4cVolkswagen AG
    fe4dCasambi Technologies Oy
    fe4eNTT docomo
    fe4fMolekule, Inc.
    fe50Google LLC
    fe51SRAM
    fe52SetPoint Medical
    fe533M
    fe54Motiv, Inc.
    fe55Google LLC
    fe56Google LLC
    fe57Dotted Labs
    fe58Nordic Semiconductor ASA
    fe59Secure DFU Service
    fe5aCronologics Corporation
    fe5bGT-tronics HK Ltd
    fe5cmillion hunters GmbH
    fe5dGrundfos A/S
    fe5ePlastc Corporation
    fe5fEyefi, Inc.
    fe60Lierda Science & Technology Group Co., Ltd.
    fe61Logitech International SA
    fe62Indagem Tech LLC
    fe63Connected Yard, Inc.
    fe64Siemens AG
    fe65CHIPOLO d.o.o.
    fe66Intel Corporation
    fe67Lab Sensor Solutions
    fe68Capsle Technologies Inc.
    fe69Capsle Technologies Inc.
    fe6aKontakt Micro-Location Sp. z o.o.
    fe6bTASER International, Inc.
    fe6cTASER International, Inc.
    fe6dThe University of Tokyo
    fe6eThe University of Tokyo
    fe6fLINE Corporation
    fe70Beijing Jingdong Century Trading Co., Ltd.
    fe71Plume Design Inc
    fe72Abbott (formerly St. Jude Medical, Inc.)
    fe73Abbott (formerly St. Jude Medical, Inc.)
    fe74unwire
    fe75TangoMe
    fe76TangoMe
    fe77Hewlett-Packard Company
    fe78Hewlett-Packard Company
    fe79Zebra Technologies
    fe7aBragi GmbH
    fe7bOrion Labs, Inc.
    fe7cTelit Wireless Solutions (Formerly Stollmann E+V GmbH)
    fe7dAterica Health Inc.
    fe7eAwear Solutions Ltd
    fe7fDoppler Lab
    fe80Doppler Lab
    fe81Medtronic Inc.
    fe82Medtronic Inc.
    fe83Blue Bite
    fe84RF Digital Corp
    fe85RF Digital Corp
    fe86HUAWEI Technologies Co., Ltd
    fe87Qingdao Yeelink Information Technology Co., Ltd. ( 青岛亿联客信息技术有限公司 )
    fe88SALTO SYSTEMS S.L.
    fe89B&O Play A/S
    fe8aApple, Inc.
    fe8bApple, Inc.
    fe8cTRON Forum
    fe8dInteraxon Inc.
    fe8eARM Ltd
    fe8fCSR
    fe90JUMA
    fe91Shanghai Imilab Technology Co.,Ltd
    fe92Jarden Safety & Security
    fe93OttoQ In
    fe94OttoQ In
    fe95Xiaomi Inc.
    fe96Tesla Motors Inc.
    fe97Tesla Motors Inc.
    fe98Currant Inc
    fe99Currant Inc
    fe9aEstimote
    fe9bSamsara Networks, Inc
    fe9cGSI Laboratories, Inc.
    fe9dMobiquity Networks Inc
    fe9eDialog Semiconductor B.V.
    fe9fGoogle LLC
    fea0Google LLC
    fea1Intrepid Control Systems, Inc.
    fea2Intrepid Control Systems, Inc.
    fea3ITT Industries
    fea4Paxton Access Ltd
    fea5GoPro, Inc.
    fea6GoPro, Inc.
    fea7UTC Fire and Security
    fea8Savant Systems LLC
    fea9Savant Systems LLC
    feaaEddystone
    feabNokia
    feacNokia
    feadNokia
    feaeNokia
    feafNest Labs Inc
    feb0Nest Labs Inc
    feb1Electronics Tomorrow Limited
    feb2Microsoft Corporation
    feb3Taobao
    feb4WiSilica Inc.
    feb5WiSilica Inc.
    feb6Vencer Co., Ltd
    feb7Meta Platforms, Inc.
    feb8Meta Platforms, Inc.
    feb9LG Electronics
    febaTencent Holdings Limited
    febbFile Transfer Service by Adafruit
    febcDexcom Inc
    febdClover Network, Inc
    febeBose Corporation
    febfNod, Inc.
    fec0KDDI Corporation
    fec1KDDI Corporation
    fec2Blue Spark Technologies, Inc.
    fec3360fly, Inc.
    fec4PLUS Location Systems
    fec5Realtek Semiconductor Corp.
    fec6Kocomojo, LLC
    fec7Apple, Inc.
    fec8Apple, Inc.
    fec9Apple, Inc.
    fecaApple, Inc.
    fecbApple, Inc.
    feccApple, Inc.
    fecdApple, Inc.
    feceApple, Inc.
    fecfApple, Inc.
    fed0Apple, Inc.
    fed1Apple, Inc.
    fed2Apple, Inc.
    fed3Apple, Inc.
    fed4Apple, Inc.
    fed5Plantronics Inc.
    fed6Broadcom
    fed7Broadcom
    fed8Google LLC
    fed9Pebble Technology Corporation
    fedaISSC Technologies Corp.
    fedbPerka, Inc.
    fedcJawbone
    feddJawbone
    fedeCoin, Inc.
    fedfDesign SHIFT
    fee0Anhui Huami Information Technology Co., Ltd.
    fee1Anhui Huami Information Technology Co., Ltd.
    fee2Anki, Inc.
    fee3Anki, Inc.
    fee4Nordic Semiconductor ASA
    fee5Nordic Semiconductor ASA
    fee6Silvair, Inc.
    fee7Tencent Holdings Limited.
    fee8Quintic Corp.
    fee9Quintic Corp.
    feeaSwirl Networks, Inc.
    feebSwirl Networks, Inc.
    feecTile, Inc.
    feedTile, Inc.
    feeePolar Electro Oy
    feefPolar Electro Oy
    fef0Intel
    fef1CSR
    fef2CSR
    fef3Google LLC
    fef4Google LLC
    fef5Dialog Semiconductor GmbH
    fef6Wicentric, Inc.
    fef7Aplix Corporation
    fef8Aplix Corporation
    fef9PayPal, Inc.
    fefaPayPal, Inc.
    fefbTelit Wireless Solutions (Formerly Stollmann E+V GmbH)
    fefcGimbal, Inc.
    fefdGimbal, Inc.
    fefeGN Hearing A/S
    feffGN Netcom
    ffefWi-Fi Direct Specification
    fff0Public Key Open Credential (PKOC)
    fff1ICCE Digital Key
    fff2Aliro
    fff3FiRa Consortium
    fff4FiRa Consortium
    fff5Car Connectivity Consortium, LLC
    fff6Matter Profile ID
    fff7Zigbee Direct
    fff8Mopria Alliance BLE
    fff9FIDO2 secure client-to-authenticator transport
    fffaASTM Remote ID
    fffbDirect Thread Commissioning
    fffcWireless Power Transfer (WPT)
    fffdUniversal Second Factor Authenticator
    fffeWireless Power Transfer
    """#

  /// UUIDs that vendors made known.
  static let uuids128: StaticString = #"""
    000015231212efde1523785feabcd123Nordic LED and Button Service
    000015241212efde1523785feabcd123Blinky Button State
    000015251212efde1523785feabcd123Blinky LED State
    000015301212efde1523785feabcd123Legacy DFU Service
    000015311212efde1523785feabcd123Legacy DFU Control Point
    000015321212efde1523785feabcd123Legacy DFU Packet
    000015341212efde1523785feabcd123Legacy DFU Version
    000016231212efde1623785feabcd123LEGO® Wireless Protocol v3 Hub Service
    000016241212efde1623785feabcd123LEGO® Wireless Protocol v3 Hub Characteristic
    000016251212efde1623785feabcd123LEGO® Wireless Protocol v3 Bootloader Service
    000016261212efde1623785feabcd123LEGO® Wireless Protocol v3 Bootloader Characteristic
    0a852c5950d34492bfd322fe58a24f01Helium Hotspot Public Key
    0fda92b244a24af284f5fa682baa2b8dHelium Hotspot Custom Service
    180efdef75794b4ab2df72733b7fa2feHelium Hotspot Lights
    22eac6e924d64bb5be44b36ace7c7bfbApple Data Source
    2f7cabce808d411f9a0cbb92ba96c102Apple Entity Update
    398168aa01114ec0b1fa171671270608Helium Hotspot WiFi Connect
    54220000f6a54007a371722f4ebd8436Memfault Diagnostic Service
    54220001f6a54007a371722f4ebd8436MDS Supported Features Characteristic
    54220002f6a54007a371722f4ebd8436MDS Device Identifier Characteristic
    54220003f6a54007a371722f4ebd8436MDS Device Data URI Characteristic
    54220004f6a54007a371722f4ebd8436MDS Device Authorization Characteristic
    54220005f6a54007a371722f4ebd8436MDS Device Data Export Characteristic
    57a70000935011eda1eb0242ac120002Nordic Status Message Service
    57a70001935011eda1eb0242ac120002Status Characteristic
    69d1d8f345e149a898219bbdfdaad9d9Apple Control Point
    6e400001b5a3f393e0a9e50e24dcca9eNordic UART Service
    6e400002b5a3f393e0a9e50e24dcca9eUART RX Characteristic
    6e400003b5a3f393e0a9e50e24dcca9eUART TX Characteristic
    7731de63bc6a41008ab189b2356b038bHelium Hotspot WiFi SSID
    7905f431b5ce4e99a40f4b1e122d00d0Apple Notification Center Service
    7dfc60007d1c495186aa8d9728f8d66cApple Reserved Service
    7dfc60017d1c495186aa8d9728f8d66cApple Reserved Characteristic
    7dfc60027d1c495186aa8d9728f8d66cApple Reserved Characteristic
    7dfc60037d1c495186aa8d9728f8d66cApple Reserved Characteristic
    7dfc60047d1c495186aa8d9728f8d66cApple Reserved Characteristic
    7dfc60057d1c495186aa8d9728f8d66cApple Reserved Characteristic
    7dfc61017d1c495186aa8d9728f8d66cApple Reserved Characteristic
    7dfc61027d1c495186aa8d9728f8d66cApple Reserved Characteristic
    7dfc61037d1c495186aa8d9728f8d66cApple Reserved Characteristic
    7dfc61047d1c495186aa8d9728f8d66cApple Reserved Characteristic
    7dfc61057d1c495186aa8d9728f8d66cApple Reserved Characteristic
    7dfc61067d1c495186aa8d9728f8d66cApple Reserved Characteristic
    7dfc61077d1c495186aa8d9728f8d66cApple Reserved Characteristic
    7dfc61087d1c495186aa8d9728f8d66cApple Reserved Characteristic
    7dfc62017d1c495186aa8d9728f8d66cApple Reserved Characteristic
    7dfc62027d1c495186aa8d9728f8d66cApple Reserved Characteristic
    7dfc62037d1c495186aa8d9728f8d66cApple Reserved Characteristic
    7dfc70007d1c495186aa8d9728f8d66cApple Reserved Service
    7dfc70047d1c495186aa8d9728f8d66cApple Reserved Characteristic
    7dfc70057d1c495186aa8d9728f8d66cApple Reserved Characteristic
    7dfc70067d1c495186aa8d9728f8d66cApple Reserved Characteristic
    7dfc70077d1c495186aa8d9728f8d66cApple Reserved Characteristic
    7dfc70087d1c495186aa8d9728f8d66cApple Reserved Characteristic
    7dfc70097d1c495186aa8d9728f8d66cApple Reserved Characteristic
    7dfc700a7d1c495186aa8d9728f8d66cApple Reserved Characteristic
    7dfc700b7d1c495186aa8d9728f8d66cApple Reserved Characteristic
    7dfc700c7d1c495186aa8d9728f8d66cApple Reserved Characteristic
    7dfc71037d1c495186aa8d9728f8d66cApple Reserved Characteristic
    7dfc71047d1c495186aa8d9728f8d66cApple Reserved Characteristic
    7dfc71057d1c495186aa8d9728f8d66cApple Reserved Characteristic
    7dfc71067d1c495186aa8d9728f8d66cApple Reserved Characteristic
    7dfc71077d1c495186aa8d9728f8d66cApple Reserved Characteristic
    7dfc71087d1c495186aa8d9728f8d66cApple Reserved Characteristic
    7dfc71097d1c495186aa8d9728f8d66cApple Reserved Characteristic
    7dfc710b7d1c495186aa8d9728f8d66cApple Reserved Characteristic
    7dfc710c7d1c495186aa8d9728f8d66cApple Reserved Characteristic
    7dfc710d7d1c495186aa8d9728f8d66cApple Reserved Characteristic
    7dfc80007d1c495186aa8d9728f8d66cApple Reserved Service
    7dfc80037d1c495186aa8d9728f8d66cApple Reserved Characteristic
    7dfc80047d1c495186aa8d9728f8d66cApple Reserved Characteristic
    7dfc90007d1c495186aa8d9728f8d66cApple Reserved Service
    7dfc90017d1c495186aa8d9728f8d66cApple Reserved Characteristic
    89d3502b0f36433a8ef4c502ad55f8dcApple Media Service
    8cc6e0b398c540ccb1d8692940e6994bHelium Hotspot WiFi Remove
    8d53dc1d1db74cd3868b8a527460aa84SMP Service
    8e400001f3154f609fb8838830daea50Experimental Buttonless DFU Service
    8ec90001f3154f609fb8838830daea50DFU Control Point
    8ec90002f3154f609fb8838830daea50DFU Packet
    8ec90003f3154f609fb8838830daea50Buttonless DFU Without Bonds
    8ec90004f3154f609fb8838830daea50Buttonless DFU With Bonds
    932c32bd000047a2835aa8d455b859ddPhilips Hue Light Control Service
    932c32bd000247a2835aa8d455b859ddPhilips Hue Light On/Off Toggle
    932c32bd000347a2835aa8d455b859ddPhilips Hue Light Brightness Level
    932c32bd000547a2835aa8d455b859ddPhilips Hue Light Color
    9b3c81d857b14a8ab8df0e56f7ca51c2Apple Remote Command
    9c4314f28a0c45fda58dd4a7e64c3a57Helium Hotspot WiFi MAC Address
    9fbf120d630142d98c5825e699a21dbdApple Notification Source
    a3c875008ed34bdf8a39a01bebede295Eddystone Configuration Service
    a3c875018ed34bdf8a39a01bebede295Eddystone Capabilities
    a3c875028ed34bdf8a39a01bebede295Eddystone Active Slot
    a3c875038ed34bdf8a39a01bebede295Eddystone Advertising Interval
    a3c875048ed34bdf8a39a01bebede295Eddystone Radio Tx Power
    a3c875058ed34bdf8a39a01bebede295Eddystone (Advanced) Advertised Tx Power
    a3c875068ed34bdf8a39a01bebede295Eddystone Lock State
    a3c875078ed34bdf8a39a01bebede295Eddystone Unlock
    a3c875088ed34bdf8a39a01bebede295Eddystone Public ECDH Key
    a3c875098ed34bdf8a39a01bebede295Eddystone EID Identity Key
    a3c8750a8ed34bdf8a39a01bebede295Eddystone ADV Slot Data
    a3c8750b8ed34bdf8a39a01bebede295Eddystone Advanced Factory Reset
    a3c8750c8ed34bdf8a39a01bebede295Eddystone (Advanced) Remain Connectable
    adaf0001c33242a893bd25e905756cb8Adafruit Sensor Measurement Period
    adaf0002c33242a893bd25e905756cb8Adafruit Sensor Service Version
    adaf010046696c655472616e73666572Adafruit Version
    adaf0100c33242a893bd25e905756cb8Adafruit Temperature Service
    adaf0101c33242a893bd25e905756cb8Adafruit Temperature
    adaf020046696c655472616e73666572Adafruit Raw TX/RX
    adaf0200c33242a893bd25e905756cb8Adafruit Accelerometer Service
    adaf0201c33242a893bd25e905756cb8Adafruit Acceleration
    adaf0300c33242a893bd25e905756cb8Adafruit Light Service
    adaf0301c33242a893bd25e905756cb8Adafruit Light Level
    adaf0400c33242a893bd25e905756cb8Adafruit Gyroscope Service
    adaf0401c33242a893bd25e905756cb8Adafruit Gyro
    adaf0500c33242a893bd25e905756cb8Adafruit Magnetometer Service
    adaf0501c33242a893bd25e905756cb8Adafruit Magnetic
    adaf0600c33242a893bd25e905756cb8Adafruit Button Service
    adaf0601c33242a893bd25e905756cb8Adafruit Pressed
    adaf0700c33242a893bd25e905756cb8Adafruit Humidity Service
    adaf0701c33242a893bd25e905756cb8Adafruit Humidity
    adaf0800c33242a893bd25e905756cb8Adafruit Barometric Service
    adaf0801c33242a893bd25e905756cb8Adafruit Pressure
    adaf0900c33242a893bd25e905756cb8Adafruit Addressable Service
    adaf0901c33242a893bd25e905756cb8Adafruit Pixel Pin
    adaf0902c33242a893bd25e905756cb8Adafruit Pixel Pin Type
    adaf0903c33242a893bd25e905756cb8Adafruit Pixel Data
    adaf0904c33242a893bd25e905756cb8Adafruit Pixel Buffer Size
    adaf0a00c33242a893bd25e905756cb8Adafruit Color Service
    adaf0a01c33242a893bd25e905756cb8Adafruit Color
    adaf0b00c33242a893bd25e905756cb8Adafruit Sound Service
    adaf0b01c33242a893bd25e905756cb8Adafruit Sound Samples
    adaf0b02c33242a893bd25e905756cb8Adafruit Number of Channels
    adaf0c00c33242a893bd25e905756cb8Adafruit Tone Service
    adaf0c01c33242a893bd25e905756cb8Adafruit Tone
    adaf0d00c33242a893bd25e905756cb8Adafruit Quaternion Service
    adaf0d01c33242a893bd25e905756cb8Adafruit Quaternions
    adaf0d02c33242a893bd25e905756cb8Adafruit Calibration In
    adaf0d03c33242a893bd25e905756cb8Adafruit Calibration Out
    adaf0e00c33242a893bd25e905756cb8Adafruit Proximity Service
    adaf0e01c33242a893bd25e905756cb8Adafruit Proximity
    b833d34fd871422cbf9e8e6ec117d57eHelium Hotspot Diagnostics
    b8843add00004aa18794c3f462030bdaPhilips Hue Light Update Service
    c6b2f38c23ab46d8a6aba3a870bbd5d7Apple Entity Attribute
    d083b2bdbe164600b39761512ca2f5adHelium Hotspot Onboarding Key
    d435f5de01a44e7d84badfd347f60275Helium Hotspot Assert Location
    d75150337e7b45be803fc8737b171a29Helium Hotspot WiFi Services
    da2e7828fbce4e01ae9e261174997c48SMP Characteristic
    df3b16cac9854da2a6d29b9b9abdb858Helium Hotspot Add Gateway
    e125bda46fb811eabc550242ac130003Helium Hotspot WiFi Configured Services
    e2a00001ec314ec3a97a1c34d87e9878Edge Impulse Remote Management Service
    e2a00002ec314ec3a97a1c34d87e9878Edge Impulse Remote Management RX Characteristic
    e2a00003ec314ec3a97a1c34d87e9878Edge Impulse Remote Management TX Characteristic
    e5866bd60288447698caef7da6b4d289Helium Hotspot Ethernet Online
    e95d0753251d470aa062fa1922dfa9a8micro:bit Accelerometer Service
    e95d0d2d251d470aa062fa1922dfa9a8micro:bit Scrolling Delay
    e95d127b251d470aa062fa1922dfa9a8micro:bit IO Pin Service
    e95d1b25251d470aa062fa1922dfa9a8micro:bit Temperature Period
    e95d23c4251d470aa062fa1922dfa9a8micro:bit Client Requirements
    e95d386c251d470aa062fa1922dfa9a8micro:bit Magnetometer Period
    e95d5404251d470aa062fa1922dfa9a8micro:bit Client Event
    e95d5899251d470aa062fa1922dfa9a8micro:bit Pin AD Configuration
    e95d6100251d470aa062fa1922dfa9a8micro:bit Temperature Service
    e95d7b77251d470aa062fa1922dfa9a8micro:bit LED Matrix State
    e95d8d00251d470aa062fa1922dfa9a8micro:bit Pin Data
    e95d9250251d470aa062fa1922dfa9a8micro:bit Temperature
    e95d93af251d470aa062fa1922dfa9a8micro:bit Event Service
    e95d93b0251d470aa062fa1922dfa9a8micro:bit DFU Control Service
    e95d93b1251d470aa062fa1922dfa9a8micro:bit DFU Control
    e95d93ee251d470aa062fa1922dfa9a8micro:bit LED Text
    e95d9715251d470aa062fa1922dfa9a8micro:bit Magnetometer Bearing
    e95d9775251d470aa062fa1922dfa9a8micro:bit Event
    e95d9882251d470aa062fa1922dfa9a8micro:bit Button Service
    e95db84c251d470aa062fa1922dfa9a8micro:bit Requirements
    e95db9fe251d470aa062fa1922dfa9a8micro:bit Pin I/O Configuration
    e95dca4b251d470aa062fa1922dfa9a8micro:bit Accelerometer Data
    e95dd822251d470aa062fa1922dfa9a8micro:bit PWM Control
    e95dd91d251d470aa062fa1922dfa9a8micro:bit LED Service
    e95dda90251d470aa062fa1922dfa9a8micro:bit Button A State
    e95dda91251d470aa062fa1922dfa9a8micro:bit Button B State
    e95df2d8251d470aa062fa1922dfa9a8micro:bit Magnetometer Service
    e95dfb11251d470aa062fa1922dfa9a8micro:bit Magnetometer Data
    e95dfb24251d470aa062fa1922dfa9a8micro:bit Accelerometer Period
    ef6801009b3549339b1052ffa9740042Thingy Configuration Service
    ef6801019b3549339b1052ffa9740042Thingy Device Name
    ef6801029b3549339b1052ffa9740042Thingy Advertising Parameters
    ef6801049b3549339b1052ffa9740042Thingy Connection Parameters
    ef6801059b3549339b1052ffa9740042Thingy Eddystone URL
    ef6801069b3549339b1052ffa9740042Thingy Cloud Token
    ef6801079b3549339b1052ffa9740042Thingy FW Version
    ef6801089b3549339b1052ffa9740042Thingy MTU Request
    ef6802009b3549339b1052ffa9740042Thingy Weather Station Service
    ef6802019b3549339b1052ffa9740042Thingy Temperature
    ef6802029b3549339b1052ffa9740042Thingy Pressure
    ef6802039b3549339b1052ffa9740042Thingy Humidity
    ef6802049b3549339b1052ffa9740042Thingy Air Quality
    ef6802059b3549339b1052ffa9740042Thingy Color
    ef6802069b3549339b1052ffa9740042Thingy Configuration
    ef6803009b3549339b1052ffa9740042Thingy UI Service
    ef6803019b3549339b1052ffa9740042Thingy LED State
    ef6803029b3549339b1052ffa9740042Thingy Button State
    ef6803039b3549339b1052ffa9740042Thingy EXT Pin
    ef6804009b3549339b1052ffa9740042Thingy Motion Service
    ef6804019b3549339b1052ffa9740042Thingy Motion Config
    ef6804029b3549339b1052ffa9740042Thingy Tap
    ef6804039b3549339b1052ffa9740042Thingy Orientation
    ef6804049b3549339b1052ffa9740042Thingy Quaternion
    ef6804059b3549339b1052ffa9740042Thingy Pedometer
    ef6804069b3549339b1052ffa9740042Thingy Raw Data
    ef6804079b3549339b1052ffa9740042Thingy Euler
    ef6804089b3549339b1052ffa9740042Thingy Rotation Matrix
    ef6804099b3549339b1052ffa9740042Thingy Heading
    ef68040a9b3549339b1052ffa9740042Thingy Gravity Vector
    ef6805009b3549339b1052ffa9740042Thingy Sound Service
    ef6805019b3549339b1052ffa9740042Thingy Sound Config
    ef6805029b3549339b1052ffa9740042Thingy Speaker Data
    ef6805039b3549339b1052ffa9740042Thingy Speaker Status
    ef6805049b3549339b1052ffa9740042Thingy Microphone
    f000ffc004514000b000000000000000Texas Instruments Over-the-Air Download (OAD) Service
    f000ffc104514000b000000000000000Texas Instruments Image Identify
    f000ffc204514000b000000000000000Texas Instruments Image Block
    f000ffc504514000b000000000000000Texas Instruments OAD Control
    fe2c1233836648148eb001de32100beaFast Pair Model ID
    fe2c1234836648148eb001de32100beaFast Pair Key-based Pairing
    fe2c1235836648148eb001de32100beaFast Pair Passkey
    fe2c1236836648148eb001de32100beaFast Pair Account Key
    fe2c1237836648148eb001de32100beaFast Pair Data
    """#

  /// Appearances: category times 64, plus subcategory.
  static let appearances: StaticString = #"""
    0000Unknown
    0040Phone
    0080Computer
    0081Computer: Desktop Workstation
    0082Computer: Server Class Computer
    0083Computer: Laptop
    0084Computer: Handheld PC PDA
    0085Computer: Palm Size PC PDA
    0086Computer: Wearable Computer
    0087Computer: Tablet
    0088Computer: Docking Station
    0089Computer: All In One
    008aComputer: Blade Server
    008bComputer: Convertible
    008cComputer: Detachable
    008dComputer: IoT Gateway
    008eComputer: Mini PC
    008fComputer: Stick PC
    00c0Watch
    00c1Watch: Sports Watch
    00c2Watch: Smartwatch
    0100Clock
    0140Display
    0180Remote Control
    01c0Eye Glasses
    0200Tag
    0240Keyring
    0280Media Player
    02c0Barcode Scanner
    0300Thermometer
    0301Thermometer: Ear Thermometer
    0340Heart Rate Sensor
    0341Heart Rate Sensor: Heart Rate Belt
    0380Blood Pressure
    0381Blood Pressure: Arm Blood Pressure
    0382Blood Pressure: Wrist Blood Pressure
    03c0Human Interface Device
    03c1Human Interface Device: Keyboard
    03c2Human Interface Device: Mouse
    03c3Human Interface Device: Joystick
    03c4Human Interface Device: Gamepad
    03c5Human Interface Device: Digitizer Tablet
    03c6Human Interface Device: Card Reader
    03c7Human Interface Device: Digital Pen
    03c8Human Interface Device: Barcode Scanner
    03c9Human Interface Device: Touchpad
    03caHuman Interface Device: Presentation Remote
    0400Glucose Meter
    0440Running Walking Sensor
    0441Running Walking Sensor: In Shoe Running Walking Sensor
    0442Running Walking Sensor: On Shoe Running Walking Sensor
    0443Running Walking Sensor: On Hip Running Walking Sensor
    0480Cycling
    0481Cycling: Cycling Computer
    0482Cycling: Speed Sensor
    0483Cycling: Cadence Sensor
    0484Cycling: Power Sensor
    0485Cycling: Speed and Cadence Sensor
    04c0Control Device
    04c1Control Device: Switch
    04c2Control Device: Multi Switch
    04c3Control Device: Button
    04c4Control Device: Slider
    04c5Control Device: Rotary Switch
    04c6Control Device: Touch Panel
    04c7Control Device: Single Switch
    04c8Control Device: Double Switch
    04c9Control Device: Triple Switch
    04caControl Device: Battery Switch
    04cbControl Device: Energy Harvesting Switch
    04ccControl Device: Push Button
    0500Network Device
    0501Network Device: Access Point
    0502Network Device: Mesh Device
    0503Network Device: Mesh Network Proxy
    0540Sensor
    0541Sensor: Motion Sensor
    0542Sensor: Air Quality Sensor
    0543Sensor: Temperature Sensor
    0544Sensor: Humidity Sensor
    0545Sensor: Leak Sensor
    0546Sensor: Smoke Sensor
    0547Sensor: Occupancy Sensor
    0548Sensor: Contact Sensor
    0549Sensor: Carbon Monoxide Sensor
    054aSensor: Carbon Dioxide Sensor
    054bSensor: Ambient Light Sensor
    054cSensor: Energy Sensor
    054dSensor: Color Light Sensor
    054eSensor: Rain Sensor
    054fSensor: Fire Sensor
    0550Sensor: Wind Sensor
    0551Sensor: Proximity Sensor
    0552Sensor: Multi Sensor
    0553Sensor: Flush Mounted Sensor
    0554Sensor: Ceiling Mounted Sensor
    0555Sensor: Wall Mounted Sensor
    0556Sensor: Multisensor
    0557Sensor: Energy Meter
    0558Sensor: Flame Detector
    0559Sensor: Vehicle Tire Pressure Sensor
    0580Light Fixtures
    0581Light Fixtures: Wall Light
    0582Light Fixtures: Ceiling Light
    0583Light Fixtures: Floor Light
    0584Light Fixtures: Cabinet Light
    0585Light Fixtures: Desk Light
    0586Light Fixtures: Troffer Light
    0587Light Fixtures: Pendant Light
    0588Light Fixtures: In Ground Light
    0589Light Fixtures: Flood Light
    058aLight Fixtures: Underwater Light
    058bLight Fixtures: Bollard With Light
    058cLight Fixtures: Pathway Light
    058dLight Fixtures: Garden Light
    058eLight Fixtures: Pole Top Light
    058fLight Fixtures: Spotlight
    0590Light Fixtures: Linear Light
    0591Light Fixtures: Street Light
    0592Light Fixtures: Shelves Light
    0593Light Fixtures: Bay Light
    0594Light Fixtures: Emergency Exit Light
    0595Light Fixtures: Light Controller
    0596Light Fixtures: Light Driver
    0597Light Fixtures: Bulb
    0598Light Fixtures: Low Bay Light
    0599Light Fixtures: High Bay Light
    05c0Fan
    05c1Fan: Ceiling Fan
    05c2Fan: Axial Fan
    05c3Fan: Exhaust Fan
    05c4Fan: Pedestal Fan
    05c5Fan: Desk Fan
    05c6Fan: Wall Fan
    0600HVAC
    0601HVAC: Thermostat
    0602HVAC: Humidifier
    0603HVAC: Dehumidifier
    0604HVAC: Heater
    0605HVAC: Radiator
    0606HVAC: Boiler
    0607HVAC: Heat Pump
    0608HVAC: Infrared Heater
    0609HVAC: Radiant Panel Heater
    060aHVAC: Fan Heater
    060bHVAC: Air Curtain
    0640Air Conditioning
    0680Humidifier
    06c0Heating
    06c1Heating: Radiator
    06c2Heating: Boiler
    06c3Heating: Heat Pump
    06c4Heating: Infrared Heater
    06c5Heating: Radiant Panel Heater
    06c6Heating: Fan Heater
    06c7Heating: Air Curtain
    0700Access Control
    0701Access Control: Access Door
    0702Access Control: Garage Door
    0703Access Control: Emergency Exit Door
    0704Access Control: Access Lock
    0705Access Control: Elevator
    0706Access Control: Window
    0707Access Control: Entrance Gate
    0708Access Control: Door Lock
    0709Access Control: Locker
    0740Motorized Device
    0741Motorized Device: Motorized Gate
    0742Motorized Device: Awning
    0743Motorized Device: Blinds Or Shades
    0744Motorized Device: Curtains
    0745Motorized Device: Screen
    0780Power Device
    0781Power Device: Power Outlet
    0782Power Device: Power Strip
    0783Power Device: Plug
    0784Power Device: Power Supply
    0785Power Device: LED Driver
    0786Power Device: Fluorescent Lamp Gear
    0787Power Device: HID Lamp Gear
    0788Power Device: Charge Case
    0789Power Device: Power Bank
    07c0Light Source
    07c1Light Source: Incandescent Light Bulb
    07c2Light Source: LED Lamp
    07c3Light Source: HID Lamp
    07c4Light Source: Fluorescent Lamp
    07c5Light Source: LED Array
    07c6Light Source: Multi Color LED Array
    07c7Light Source: Low Voltage Halogen
    07c8Light Source: Organic Light Emitting Diode
    0800Window Covering
    0801Window Covering: Window Shades
    0802Window Covering: Window Blinds
    0803Window Covering: Window Awning
    0804Window Covering: Window Curtain
    0805Window Covering: Exterior Shutter
    0806Window Covering: Exterior Screen
    0840Audio Sink
    0841Audio Sink: Standalone Speaker
    0842Audio Sink: Soundbar
    0843Audio Sink: Bookshelf Speaker
    0844Audio Sink: Standmounted Speaker
    0845Audio Sink: Speakerphone
    0880Audio Source
    0881Audio Source: Microphone
    0882Audio Source: Alarm
    0883Audio Source: Bell
    0884Audio Source: Horn
    0885Audio Source: Broadcasting Device
    0886Audio Source: Service Desk
    0887Audio Source: Kiosk
    0888Audio Source: Broadcasting Room
    0889Audio Source: Auditorium
    08c0Motorized Vehicle
    08c1Motorized Vehicle: Car
    08c2Motorized Vehicle: Large Goods Vehicle
    08c3Motorized Vehicle: Two Wheeled Vehicle
    08c4Motorized Vehicle: Motorbike
    08c5Motorized Vehicle: Scooter
    08c6Motorized Vehicle: Moped
    08c7Motorized Vehicle: Three Wheeled Vehicle
    08c8Motorized Vehicle: Light Vehicle
    08c9Motorized Vehicle: Quad Bike
    08caMotorized Vehicle: Minibus
    08cbMotorized Vehicle: Bus
    08ccMotorized Vehicle: Trolley
    08cdMotorized Vehicle: Agricultural Vehicle
    08ceMotorized Vehicle: Camper Caravan
    08cfMotorized Vehicle: Recreational Vehicle Motor Home
    0900Domestic Appliance
    0901Domestic Appliance: Refrigerator
    0902Domestic Appliance: Freezer
    0903Domestic Appliance: Oven
    0904Domestic Appliance: Microwave
    0905Domestic Appliance: Toaster
    0906Domestic Appliance: Washing Machine
    0907Domestic Appliance: Dryer
    0908Domestic Appliance: Coffee Maker
    0909Domestic Appliance: Clothes Iron
    090aDomestic Appliance: Curling Iron
    090bDomestic Appliance: Hair Dryer
    090cDomestic Appliance: Vacuum Cleaner
    090dDomestic Appliance: Robotic Vacuum Cleaner
    090eDomestic Appliance: Rice Cooker
    090fDomestic Appliance: Clothes Steamer
    0940Wearable Audio Device
    0941Wearable Audio Device: Earbud
    0942Wearable Audio Device: Headset
    0943Wearable Audio Device: Headphones
    0944Wearable Audio Device: Neck Band
    0980Aircraft
    0981Aircraft: Light Aircraft
    0982Aircraft: Microlight
    0983Aircraft: Paraglider
    0984Aircraft: Large Passenger Aircraft
    09c0AV Equipment
    09c1AV Equipment: Amplifier
    09c2AV Equipment: Receiver
    09c3AV Equipment: Radio
    09c4AV Equipment: Tuner
    09c5AV Equipment: Turntable
    09c6AV Equipment: Cd Player
    09c7AV Equipment: Dvd Player
    09c8AV Equipment: Bluray Player
    09c9AV Equipment: Optical Disc Player
    09caAV Equipment: Set Top Box
    0a00Display Equipment
    0a01Display Equipment: Television
    0a02Display Equipment: Monitor
    0a03Display Equipment: Projector
    0a40Hearing Aid
    0a41Hearing Aid: In Ear Hearing Aid
    0a42Hearing Aid: Behind Ear Hearing Aid
    0a43Hearing Aid: Cochlear Implant
    0a80Gaming
    0a81Gaming: Home Video Game Console
    0a82Gaming: Portable Handheld Console
    0ac0Signage
    0ac1Signage: Digital Signage
    0ac2Signage: Electronic Label
    0c40Pulse Oximeter
    0c41Pulse Oximeter: Fingertip Pulse Oximeter
    0c42Pulse Oximeter: Wrist Worn Pulse Oximeter
    0c80Weight Scale
    0cc0Personal Mobility Device
    0cc1Personal Mobility Device: Powered Wheelchair
    0cc2Personal Mobility Device: Mobility Scooter
    0d00Continuous Glucose Monitor
    0d40Insulin Pump
    0d41Insulin Pump: Insulin Pump Durable Pump
    0d42Insulin Pump: Insulin Pump Patch Pump
    0d43Insulin Pump: Insulin Pen
    0d80Medication Delivery
    0dc0Spirometer
    0dc1Spirometer: Handheld Spirometer
    1440Outdoor Sports Activity
    1441Outdoor Sports Activity: Location Display
    1442Outdoor Sports Activity: Location and Navigation Display
    1443Outdoor Sports Activity: Location Pod
    1444Outdoor Sports Activity: Location and Navigation Pod
    """#
}
