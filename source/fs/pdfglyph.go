package fs

import (
	"strconv"
	"strings"
	"sync"
)

// glyphRune returns the character that a glyph of a font is called after, zero
// if its name says nothing: fonts number their glyphs as they like.
func glyphRune(name string) rune {
	name, _, _ = strings.Cut(name, ".") // a.sc is a small capital
	if len(name) == 1 {
		return rune(name[0])
	}
	if r, ok := glyphs()[name]; ok {
		return r
	}
	for _, prefix := range []string{"uni", "u"} {
		if digits, ok := strings.CutPrefix(name, prefix); ok && len(digits) >= 4 && len(digits) <= 6 {
			if n, err := strconv.ParseUint(digits, 16, 21); err == nil {
				return rune(n)
			}
		}
	}
	return 0
}

// glyphs are the names of the characters of European scripts, of punctuation and
// of mathematics. The table is text until a document asks for it.
var glyphs = sync.OnceValue(func() map[string]rune {
	table := make(map[string]rune, 1217)
	for _, entry := range strings.Fields(glyphNames) {
		code, names, _ := strings.Cut(entry, "=")
		r, err := strconv.ParseUint(code, 16, 21)
		if err != nil {
			continue
		}
		for name := range strings.SplitSeq(names, ",") {
			table[name] = rune(r)
		}
	}
	return table
})

const glyphNames = `
20=space,spacehackarabic 21=exclam 22=quotedbl 23=numbersign 24=dollar 25=percent 26=ampersand 27=quotesingle 28=parenleft 29=parenright 2A=asterisk
2B=plus 2C=comma 2D=hyphen 2E=period 2F=slash 30=zero 31=one 32=two 33=three 34=four 35=five 36=six 37=seven 38=eight 39=nine 3A=colon 3B=semicolon
3C=less 3D=equal 3E=greater 3F=question 40=at 5B=bracketleft 5C=backslash 5D=bracketright 5E=asciicircum 5F=underscore 60=grave 7B=braceleft
7C=bar,verticalbar 7D=braceright 7E=asciitilde 7F=controlDEL A0=nbspace,nonbreakingspace A1=exclamdown A2=cent A3=sterling A4=currency A5=yen
A6=brokenbar A7=section A8=dieresis A9=copyright AA=ordfeminine AB=guillemotleft AC=logicalnot AD=sfthyphen,softhyphen AE=registered
AF=macron,overscore B0=degree B1=plusminus B2=twosuperior B3=threesuperior B4=acute B5=mu,mu1 B6=paragraph B7=middot,periodcentered B8=cedilla
B9=onesuperior BA=ordmasculine BB=guillemotright BC=onequarter BD=onehalf BE=threequarters BF=questiondown C0=Agrave C1=Aacute C2=Acircumflex
C3=Atilde C4=Adieresis C5=Aring C6=AE C7=Ccedilla C8=Egrave C9=Eacute CA=Ecircumflex CB=Edieresis CC=Igrave CD=Iacute CE=Icircumflex CF=Idieresis
D0=Eth D1=Ntilde D2=Ograve D3=Oacute D4=Ocircumflex D5=Otilde D6=Odieresis D7=multiply D8=Oslash D9=Ugrave DA=Uacute DB=Ucircumflex DC=Udieresis
DD=Yacute DE=Thorn DF=germandbls E0=agrave E1=aacute E2=acircumflex E3=atilde E4=adieresis E5=aring E6=ae E7=ccedilla E8=egrave E9=eacute
EA=ecircumflex EB=edieresis EC=igrave ED=iacute EE=icircumflex EF=idieresis F0=eth F1=ntilde F2=ograve F3=oacute F4=ocircumflex F5=otilde F6=odieresis
F7=divide F8=oslash F9=ugrave FA=uacute FB=ucircumflex FC=udieresis FD=yacute FE=thorn FF=ydieresis 100=Amacron 101=amacron 102=Abreve 103=abreve
104=Aogonek 105=aogonek 106=Cacute 107=cacute 108=Ccircumflex 109=ccircumflex 10A=Cdot,Cdotaccent 10B=cdot,cdotaccent 10C=Ccaron 10D=ccaron 10E=Dcaron
10F=dcaron 110=Dcroat,Dslash 111=dcroat,dmacron 112=Emacron 113=emacron 114=Ebreve 115=ebreve 116=Edot,Edotaccent 117=edot,edotaccent 118=Eogonek
119=eogonek 11A=Ecaron 11B=ecaron 11C=Gcircumflex 11D=gcircumflex 11E=Gbreve 11F=gbreve 120=Gdot,Gdotaccent 121=gdot,gdotaccent
122=Gcedilla,Gcommaaccent 123=gcedilla,gcommaaccent 124=Hcircumflex 125=hcircumflex 126=Hbar 127=hbar 128=Itilde 129=itilde 12A=Imacron 12B=imacron
12C=Ibreve 12D=ibreve 12E=Iogonek 12F=iogonek 130=Idot,Idotaccent 131=dotlessi 132=IJ 133=ij 134=Jcircumflex 135=jcircumflex 136=Kcedilla,Kcommaaccent
137=kcedilla,kcommaaccent 138=kgreenlandic 139=Lacute 13A=lacute 13B=Lcedilla,Lcommaaccent 13C=lcedilla,lcommaaccent 13D=Lcaron 13E=lcaron
13F=Ldot,Ldotaccent 140=ldot,ldotaccent 141=Lslash 142=lslash 143=Nacute 144=nacute 145=Ncedilla,Ncommaaccent 146=ncedilla,ncommaaccent 147=Ncaron
148=ncaron 149=napostrophe,quoterightn 14A=Eng 14B=eng 14C=Omacron 14D=omacron 14E=Obreve 14F=obreve 150=Odblacute,Ohungarumlaut
151=odblacute,ohungarumlaut 152=OE 153=oe 154=Racute 155=racute 156=Rcedilla,Rcommaaccent 157=rcedilla,rcommaaccent 158=Rcaron 159=rcaron 15A=Sacute
15B=sacute 15C=Scircumflex 15D=scircumflex 15E=Scedilla 15F=scedilla 160=Scaron 161=scaron 162=Tcedilla,Tcommaaccent 163=tcedilla,tcommaaccent
164=Tcaron 165=tcaron 166=Tbar 167=tbar 168=Utilde 169=utilde 16A=Umacron 16B=umacron 16C=Ubreve 16D=ubreve 16E=Uring 16F=uring
170=Udblacute,Uhungarumlaut 171=udblacute,uhungarumlaut 172=Uogonek 173=uogonek 174=Wcircumflex 175=wcircumflex 176=Ycircumflex 177=ycircumflex
178=Ydieresis 179=Zacute 17A=zacute 17B=Zdot,Zdotaccent 17C=zdot,zdotaccent 17D=Zcaron 17E=zcaron 17F=longs,slong 180=bstroke 181=Bhook 182=Btopbar
183=btopbar 184=Tonesix 185=tonesix 186=Oopen 187=Chook 188=chook 189=Dafrican 18A=Dhook 18B=Dtopbar 18C=dtopbar 18D=deltaturned 18E=Ereversed
18F=Schwa 190=Eopen 191=Fhook 192=florin 193=Ghook 194=Gammaafrican 195=hv 196=Iotaafrican 197=Istroke 198=Khook 199=khook 19A=lbar 19B=lambdastroke
19C=Mturned 19D=Nhookleft 19E=nlegrightlong 19F=Ocenteredtilde 1A0=Ohorn 1A1=ohorn 1A2=Oi 1A3=oi 1A4=Phook 1A5=phook 1A6=yr 1A7=Tonetwo 1A8=tonetwo
1A9=Esh 1AA=eshreversedloop 1AB=tpalatalhook 1AC=Thook 1AD=thook 1AE=Tretroflexhook 1AF=Uhorn 1B0=uhorn 1B1=Upsilonafrican 1B2=Vhook 1B3=Yhook
1B4=yhook 1B5=Zstroke 1B6=zstroke 1B7=Ezh 1B8=Ezhreversed 1B9=ezhreversed 1BA=ezhtail 1BB=twostroke 1BC=Tonefive 1BD=tonefive
1BE=glottalinvertedstroke 1BF=wynn 1C0=clickdental 1C1=clicklateral 1C2=clickalveolar 1C3=clickretroflex 1C4=DZcaron 1C5=Dzcaron 1C6=dzcaron 1C7=LJ
1C8=Lj 1C9=lj 1CA=NJ 1CB=Nj 1CC=nj 1CD=Acaron 1CE=acaron 1CF=Icaron 1D0=icaron 1D1=Ocaron 1D2=ocaron 1D3=Ucaron 1D4=ucaron 1D5=Udieresismacron
1D6=udieresismacron 1D7=Udieresisacute 1D8=udieresisacute 1D9=Udieresiscaron 1DA=udieresiscaron 1DB=Udieresisgrave 1DC=udieresisgrave 1DD=eturned
1DE=Adieresismacron 1DF=adieresismacron 1E0=Adotmacron 1E1=adotmacron 1E2=AEmacron 1E3=aemacron 1E4=Gstroke 1E5=gstroke 1E6=Gcaron 1E7=gcaron
1E8=Kcaron 1E9=kcaron 1EA=Oogonek 1EB=oogonek 1EC=Oogonekmacron 1ED=oogonekmacron 1EE=Ezhcaron 1EF=ezhcaron 1F0=jcaron 1F1=DZ 1F2=Dz 1F3=dz 1F4=Gacute
1F5=gacute 1FA=Aringacute 1FB=aringacute 1FC=AEacute 1FD=aeacute 1FE=Oslashacute,Ostrokeacute 1FF=oslashacute,ostrokeacute 200=Adblgrave 201=adblgrave
202=Ainvertedbreve 203=ainvertedbreve 204=Edblgrave 205=edblgrave 206=Einvertedbreve 207=einvertedbreve 208=Idblgrave 209=idblgrave 20A=Iinvertedbreve
20B=iinvertedbreve 20C=Odblgrave 20D=odblgrave 20E=Oinvertedbreve 20F=oinvertedbreve 210=Rdblgrave 211=rdblgrave 212=Rinvertedbreve 213=rinvertedbreve
214=Udblgrave 215=udblgrave 216=Uinvertedbreve 217=uinvertedbreve 218=Scommaaccent 219=scommaaccent 2B0=hsuperior 2B1=hhooksuperior 2B2=jsuperior
2B4=rturnedsuperior 2B5=rhookturnedsuperior 2B6=Rsmallinvertedsuperior 2B7=wsuperior 2B8=ysuperior 2B9=primemod 2BA=dblprimemod 2BB=commaturnedmod
2BC=apostrophemod 2BD=commareversedmod 2BE=ringhalfright 2BF=ringhalfleft 2C0=glottalstopmod 2C1=glottalstopreversedmod 2C2=arrowheadleftmod
2C3=arrowheadrightmod 2C4=arrowheadupmod 2C5=arrowheaddownmod 2C6=circumflex 2C7=caron 2C8=verticallinemod 2C9=firsttonechinese 2CA=secondtonechinese
2CB=fourthtonechinese 2CC=verticallinelowmod 2CD=macronlowmod 2CE=gravelowmod 2CF=acutelowmod 2D0=colontriangularmod 2D1=colontriangularhalfmod
2D2=ringhalfrightcentered 2D3=ringhalfleftcentered 2D4=uptackmod 2D5=downtackmod 2D6=plusmod 2D7=minusmod 2D8=breve 2D9=dotaccent 2DA=ring 2DB=ogonek
2DC=ilde,tilde 2DD=hungarumlaut 2DE=rhotichookmod 2E0=gammasuperior 2E3=xsuperior 2E4=glottalstopreversedsuperior 2E5=tonebarextrahighmod
2E6=tonebarhighmod 2E7=tonebarmidmod 2E8=tonebarlowmod 2E9=tonebarextralowmod 374=numeralsigngreek 375=numeralsignlowergreek 37A=ypogegrammeni
37E=questiongreek 384=tonos 385=dialytikatonos,dieresistonos 386=Alphatonos 387=anoteleia 388=Epsilontonos 389=Etatonos 38A=Iotatonos 38C=Omicrontonos
38E=Upsilontonos 38F=Omegatonos 390=iotadieresistonos 391=Alpha 392=Beta 393=Gamma 394=Deltagreek 395=Epsilon 396=Zeta 397=Eta 398=Theta 399=Iota
39A=Kappa 39B=Lambda 39C=Mu 39D=Nu 39E=Xi 39F=Omicron 3A0=Pi 3A1=Rho 3A3=Sigma 3A4=Tau 3A5=Upsilon 3A6=Phi 3A7=Chi 3A8=Psi 3A9=Omegagreek
3AA=Iotadieresis 3AB=Upsilondieresis 3AC=alphatonos 3AD=epsilontonos 3AE=etatonos 3AF=iotatonos 3B0=upsilondieresistonos 3B1=alpha 3B2=beta 3B3=gamma
3B4=delta 3B5=epsilon 3B6=zeta 3B7=eta 3B8=theta 3B9=iota 3BA=kappa 3BB=lambda 3BC=mugreek 3BD=nu 3BE=xi 3BF=omicron 3C0=pi 3C1=rho
3C2=sigma1,sigmafinal 3C3=sigma 3C4=tau 3C5=upsilon 3C6=phi 3C7=chi 3C8=psi 3C9=omega 3CA=iotadieresis 3CB=upsilondieresis 3CC=omicrontonos
3CD=upsilontonos 3CE=omegatonos 3D0=betasymbolgreek 3D1=theta1,thetasymbolgreek 3D2=Upsilon1,Upsilonhooksymbol 3D3=Upsilonacutehooksymbolgreek
3D4=Upsilondieresishooksymbolgreek 3D5=phi1,phisymbolgreek 3D6=omega1,pisymbolgreek 3DA=Stigmagreek 3DC=Digammagreek 3DE=Koppagreek 3E0=Sampigreek
3E2=Sheicoptic 3E3=sheicoptic 3E4=Feicoptic 3E5=feicoptic 3E6=Kheicoptic 3E7=kheicoptic 3E8=Horicoptic 3E9=horicoptic 3EA=Gangiacoptic
3EB=gangiacoptic 3EC=Shimacoptic 3ED=shimacoptic 3EE=Deicoptic 3EF=deicoptic 3F0=kappasymbolgreek 3F1=rhosymbolgreek 3F2=sigmalunatesymbolgreek
3F3=yotgreek 401=Iocyrillic,afii10023 402=Djecyrillic,afii10051 403=Gjecyrillic,afii10052 404=Ecyrillic,afii10053 405=Dzecyrillic,afii10054
406=Icyrillic,afii10055 407=Yicyrillic,afii10056 408=Jecyrillic,afii10057 409=Ljecyrillic,afii10058 40A=Njecyrillic,afii10059
40B=Tshecyrillic,afii10060 40C=Kjecyrillic,afii10061 40E=Ushortcyrillic,afii10062 40F=Dzhecyrillic,afii10145 410=Acyrillic,afii10017
411=Becyrillic,afii10018 412=Vecyrillic,afii10019 413=Gecyrillic,afii10020 414=Decyrillic,afii10021 415=Iecyrillic,afii10022 416=Zhecyrillic,afii10024
417=Zecyrillic,afii10025 418=Iicyrillic,afii10026 419=Iishortcyrillic,afii10027 41A=Kacyrillic,afii10028 41B=Elcyrillic,afii10029
41C=Emcyrillic,afii10030 41D=Encyrillic,afii10031 41E=Ocyrillic,afii10032 41F=Pecyrillic,afii10033 420=Ercyrillic,afii10034 421=Escyrillic,afii10035
422=Tecyrillic,afii10036 423=Ucyrillic,afii10037 424=Efcyrillic,afii10038 425=Khacyrillic,afii10039 426=Tsecyrillic,afii10040
427=Checyrillic,afii10041 428=Shacyrillic,afii10042 429=Shchacyrillic,afii10043 42A=Hardsigncyrillic,afii10044 42B=Yericyrillic,afii10045
42C=Softsigncyrillic,afii10046 42D=Ereversedcyrillic,afii10047 42E=IUcyrillic,afii10048 42F=IAcyrillic,afii10049 430=acyrillic,afii10065
431=afii10066,becyrillic 432=afii10067,vecyrillic 433=afii10068,gecyrillic 434=afii10069,decyrillic 435=afii10070,iecyrillic 436=afii10072,zhecyrillic
437=afii10073,zecyrillic 438=afii10074,iicyrillic 439=afii10075,iishortcyrillic 43A=afii10076,kacyrillic 43B=afii10077,elcyrillic
43C=afii10078,emcyrillic 43D=afii10079,encyrillic 43E=afii10080,ocyrillic 43F=afii10081,pecyrillic 440=afii10082,ercyrillic 441=afii10083,escyrillic
442=afii10084,tecyrillic 443=afii10085,ucyrillic 444=afii10086,efcyrillic 445=afii10087,khacyrillic 446=afii10088,tsecyrillic
447=afii10089,checyrillic 448=afii10090,shacyrillic 449=afii10091,shchacyrillic 44A=afii10092,hardsigncyrillic 44B=afii10093,yericyrillic
44C=afii10094,softsigncyrillic 44D=afii10095,ereversedcyrillic 44E=afii10096,iucyrillic 44F=afii10097,iacyrillic 451=afii10071,iocyrillic
452=afii10099,djecyrillic 453=afii10100,gjecyrillic 454=afii10101,ecyrillic 455=afii10102,dzecyrillic 456=afii10103,icyrillic 457=afii10104,yicyrillic
458=afii10105,jecyrillic 459=afii10106,ljecyrillic 45A=afii10107,njecyrillic 45B=afii10108,tshecyrillic 45C=afii10109,kjecyrillic
45E=afii10110,ushortcyrillic 45F=afii10193,dzhecyrillic 460=Omegacyrillic 461=omegacyrillic 462=Yatcyrillic,afii10146 463=afii10194,yatcyrillic
464=Eiotifiedcyrillic 465=eiotifiedcyrillic 466=Yuslittlecyrillic 467=yuslittlecyrillic 468=Yuslittleiotifiedcyrillic 469=yuslittleiotifiedcyrillic
46A=Yusbigcyrillic 46B=yusbigcyrillic 46C=Yusbigiotifiedcyrillic 46D=yusbigiotifiedcyrillic 46E=Ksicyrillic 46F=ksicyrillic 470=Psicyrillic
471=psicyrillic 472=Fitacyrillic,afii10147 473=afii10195,fitacyrillic 474=Izhitsacyrillic,afii10148 475=afii10196,izhitsacyrillic
476=Izhitsadblgravecyrillic 477=izhitsadblgravecyrillic 478=Ukcyrillic 479=ukcyrillic 47A=Omegaroundcyrillic 47B=omegaroundcyrillic
47C=Omegatitlocyrillic 47D=omegatitlocyrillic 47E=Otcyrillic 47F=otcyrillic 480=Koppacyrillic 481=koppacyrillic 482=thousandcyrillic
483=titlocyrilliccmb 484=palatalizationcyrilliccmb 485=dasiapneumatacyrilliccmb 486=psilipneumatacyrilliccmb 490=Gheupturncyrillic,afii10050
491=afii10098,gheupturncyrillic 492=Ghestrokecyrillic 493=ghestrokecyrillic 494=Ghemiddlehookcyrillic 495=ghemiddlehookcyrillic
496=Zhedescendercyrillic 497=zhedescendercyrillic 498=Zedescendercyrillic 499=zedescendercyrillic 49A=Kadescendercyrillic 49B=kadescendercyrillic
49C=Kaverticalstrokecyrillic 49D=kaverticalstrokecyrillic 49E=Kastrokecyrillic 49F=kastrokecyrillic 4A0=Kabashkircyrillic 4A1=kabashkircyrillic
4A2=Endescendercyrillic 4A3=endescendercyrillic 4A4=Enghecyrillic 4A5=enghecyrillic 4A6=Pemiddlehookcyrillic 4A7=pemiddlehookcyrillic
4A8=Haabkhasiancyrillic 4A9=haabkhasiancyrillic 4AA=Esdescendercyrillic 4AB=esdescendercyrillic 4AC=Tedescendercyrillic 4AD=tedescendercyrillic
4AE=Ustraightcyrillic 4AF=ustraightcyrillic 4B0=Ustraightstrokecyrillic 4B1=ustraightstrokecyrillic 4B2=Hadescendercyrillic 4B3=hadescendercyrillic
4B4=Tetsecyrillic 4B5=tetsecyrillic 4B6=Chedescendercyrillic 4B7=chedescendercyrillic 4B8=Cheverticalstrokecyrillic 4B9=cheverticalstrokecyrillic
4BA=Shhacyrillic 4BB=shhacyrillic 4BC=Cheabkhasiancyrillic 4BD=cheabkhasiancyrillic 4BE=Chedescenderabkhasiancyrillic
4BF=chedescenderabkhasiancyrillic 4C0=palochkacyrillic 4C1=Zhebrevecyrillic 4C2=zhebrevecyrillic 4C3=Kahookcyrillic 4C4=kahookcyrillic
4C7=Enhookcyrillic 4C8=enhookcyrillic 4CB=Chekhakassiancyrillic 4CC=chekhakassiancyrillic 4D0=Abrevecyrillic 4D1=abrevecyrillic 4D2=Adieresiscyrillic
4D3=adieresiscyrillic 4D4=Aiecyrillic 4D5=aiecyrillic 4D6=Iebrevecyrillic 4D7=iebrevecyrillic 4D8=Schwacyrillic 4D9=afii10846,schwacyrillic
4DA=Schwadieresiscyrillic 4DB=schwadieresiscyrillic 4DC=Zhedieresiscyrillic 4DD=zhedieresiscyrillic 4DE=Zedieresiscyrillic 4DF=zedieresiscyrillic
4E0=Dzeabkhasiancyrillic 4E1=dzeabkhasiancyrillic 4E2=Imacroncyrillic 4E3=imacroncyrillic 4E4=Idieresiscyrillic 4E5=idieresiscyrillic
4E6=Odieresiscyrillic 4E7=odieresiscyrillic 4E8=Obarredcyrillic 4E9=obarredcyrillic 4EA=Obarreddieresiscyrillic 4EB=obarreddieresiscyrillic
4EE=Umacroncyrillic 4EF=umacroncyrillic 4F0=Udieresiscyrillic 4F1=udieresiscyrillic 4F2=Uhungarumlautcyrillic 4F3=uhungarumlautcyrillic
4F4=Chedieresiscyrillic 4F5=chedieresiscyrillic 4F8=Yerudieresiscyrillic 4F9=yerudieresiscyrillic 2010=hyphentwo 2012=figuredash 2013=endash
2014=emdash 2015=horizontalbar 2016=dblverticalbar 2017=dbllowline,underscoredbl 2018=quoteleft 2019=quoteright 201A=quotesinglbase
201B=quoteleftreversed,quotereversed 201C=quotedblleft 201D=quotedblright 201E=quotedblbase 2020=dagger 2021=daggerdbl 2022=bullet 2024=onedotenleader
2025=twodotenleader,twodotleader 2026=ellipsis 2030=perthousand 2032=minute 2033=second 2035=primereversed 2039=guilsinglleft 203A=guilsinglright
203B=referencemark 203C=exclamdbl 203E=overline 2042=asterism 2044=fraction 2070=zerosuperior 2074=foursuperior 2075=fivesuperior 2076=sixsuperior
2077=sevensuperior 2078=eightsuperior 2079=ninesuperior 207A=plussuperior 207C=equalsuperior 207D=parenleftsuperior 207E=parenrightsuperior
207F=nsuperior 2080=zeroinferior 2081=oneinferior 2082=twoinferior 2083=threeinferior 2084=fourinferior 2085=fiveinferior 2086=sixinferior
2087=seveninferior 2088=eightinferior 2089=nineinferior 208D=parenleftinferior 208E=parenrightinferior 20A1=colonmonetary,colonsign 20A2=cruzeiro
20A3=franc 20A4=lira 20A7=peseta 20A9=won 20AA=newsheqelsign,sheqel,sheqelhebrew 20AB=dong 20AC=Euro 2103=centigrade 2105=careof 2109=fahrenheit
2111=Ifraktur 2113=lsquare 2116=numero 2118=weierstrass 211C=Rfraktur 211E=prescription 2121=telephone 2122=trademark 2126=Ohm,Omega 212B=angstrom
212E=estimated 2135=aleph 2153=onethird 2154=twothirds 215B=oneeighth 215C=threeeighths 215D=fiveeighths 215E=seveneighths 2160=Oneroman 2161=Tworoman
2162=Threeroman 2163=Fourroman 2164=Fiveroman 2165=Sixroman 2166=Sevenroman 2167=Eightroman 2168=Nineroman 2169=Tenroman 216A=Elevenroman
216B=Twelveroman 2170=oneroman 2171=tworoman 2172=threeroman 2173=fourroman 2174=fiveroman 2175=sixroman 2176=sevenroman 2177=eightroman
2178=nineroman 2179=tenroman 217A=elevenroman 217B=twelveroman 2190=arrowleft 2191=arrowup 2192=arrowright 2193=arrowdown 2194=arrowboth
2195=arrowupdn 2196=arrowupleft 2197=arrowupright 2198=arrowdownright 2199=arrowdownleft 21A8=arrowupdnbse,arrowupdownbase 21B5=carriagereturn
21BC=harpoonleftbarbup 21C0=harpoonrightbarbup 21C4=arrowrightoverleft 21C5=arrowupleftofdown 21C6=arrowleftoverright 21CD=arrowleftdblstroke
21CF=arrowrightdblstroke 21D0=arrowdblleft,arrowleftdbl 21D1=arrowdblup 21D2=arrowdblright,dblarrowright 21D3=arrowdbldown
21D4=arrowdblboth,dblarrowleft 21DE=pageup 21DF=pagedown 21E0=arrowdashleft 21E1=arrowdashup 21E2=arrowdashright 21E3=arrowdashdown 21E4=arrowtableft
21E5=arrowtabright 21E6=arrowleftwhite 21E7=arrowupwhite 21E8=arrowrightwhite 21E9=arrowdownwhite 21EA=capslock 2200=forall,universal 2202=partialdiff
2203=existential,thereexists 2205=emptyset 2206=Delta,increment 2207=gradient,nabla 2208=element 2209=notelement,notelementof 220B=suchthat
220C=notcontains 220F=product 2211=summation 2212=minus 2213=minusplus 2215=divisionslash 2217=asteriskmath 2219=bulletoperator 221A=radical
221D=proportional 221E=infinity 221F=orthogonal,rightangle 2220=angle 2223=divides 2225=parallel 2226=notparallel 2227=logicaland 2228=logicalor
2229=intersection 222A=union 222B=integral 222C=dblintegral 222E=contourintegral 2234=therefore 2235=because 2236=ratio 2237=proportion
223C=similar,tildeoperator 223D=reversedtilde 2243=asymptoticallyequal 2245=approximatelyequal,congruent 2248=approxequal 224C=allequal
2250=approaches 2251=geometricallyequal 2252=approxequalorimage 2253=imageorapproximatelyequal 2260=notequal 2261=equivalence 2262=notidentical
2264=lessequal 2265=greaterequal 2266=lessoverequal 2267=greateroverequal 226A=muchless 226B=muchgreater 226E=notless 226F=notgreater
2270=notlessnorequal 2271=notgreaternorequal 2272=lessorequivalent 2273=greaterorequivalent 2276=lessorgreater 2277=greaterorless
2279=notgreaternorless 227A=precedes 227B=succeeds 2280=notprecedes 2281=notsucceeds 2282=propersubset,subset 2283=propersuperset,superset
2284=notsubset 2285=notsuperset 2286=reflexsubset,subsetorequal 2287=reflexsuperset,supersetorequal 228A=subsetnotequal 228B=supersetnotequal
2295=circleplus,pluscircle 2296=minuscircle 2297=circlemultiply,timescircle 2299=circleot 22A3=tackleft 22A4=tackdown 22A5=perpendicular
22BF=righttriangle 22C5=dotmath 22CE=curlyor 22CF=curlyand 22DA=lessequalorgreater 22DB=greaterequalorless 22EE=ellipsisvertical FB00=ff FB01=fi
FB02=fl FB03=ffi FB04=ffl
`
