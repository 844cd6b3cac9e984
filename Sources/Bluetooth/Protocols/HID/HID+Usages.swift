extension HID {
  /// Names of values in messages (HID Profile 1.1.1, 3.1) and of usages (HID Usage Tables 1.4). A key has the name of its position on a keyboard for
  /// US English: the host's keyboard layout determines the character.
  static let enumerationText: StaticString = """
    enum hid-transaction
      0x0 HANDSHAKE
      0x1 CONTROL
      0x4 GET_REPORT
      0x5 SET_REPORT
      0x6 GET_PROTOCOL
      0x7 SET_PROTOCOL
      0x8 GET_IDLE
      0x9 SET_IDLE
      0xa DATA
      0xb DATC
    enum hid-result
      0x0 successful
      0x1 not ready
      0x2 invalid report ID
      0x3 unsupported request
      0x4 invalid parameter
      0xe unknown error
      0xf fatal error
    enum hid-control
      0x0 NOP
      0x1 hard reset
      0x2 soft reset
      0x3 suspend
      0x4 exit suspend
      0x5 virtual cable unplug
    enum hid-report
      0x0 other
      0x1 input
      0x2 output
      0x3 feature
    enum hid-protocol
      0x0 boot
      0x1 report
    enum hid-page
      0x01 generic desktop
      0x02 simulation
      0x03 VR
      0x04 sport
      0x05 game
      0x06 generic device
      0x07 keyboard
      0x08 LED
      0x09 button
      0x0a ordinal
      0x0b telephony
      0x0c consumer
      0x0d digitizer
      0x0e haptics
      0x0f physical input device
      0x10 Unicode
      0x12 eye and head trackers
      0x14 auxiliary display
      0x20 sensors
      0x40 medical instrument
      0x41 braille display
      0x59 lighting and illumination
      0x84 power
      0x85 battery system
      0x8c bar code scanner
      0x8d scale
      0x90 camera control
      0xf1d0 FIDO alliance
    enum hid-key
      0x01 too many keys
      0x02 POST fail
      0x03 undefined error
      0x04 a
      0x05 b
      0x06 c
      0x07 d
      0x08 e
      0x09 f
      0x0a g
      0x0b h
      0x0c i
      0x0d j
      0x0e k
      0x0f l
      0x10 m
      0x11 n
      0x12 o
      0x13 p
      0x14 q
      0x15 r
      0x16 s
      0x17 t
      0x18 u
      0x19 v
      0x1a w
      0x1b x
      0x1c y
      0x1d z
      0x1e 1
      0x1f 2
      0x20 3
      0x21 4
      0x22 5
      0x23 6
      0x24 7
      0x25 8
      0x26 9
      0x27 0
      0x28 Enter
      0x29 Escape
      0x2a Backspace
      0x2b Tab
      0x2c Space
      0x2d -
      0x2e =
      0x2f [
      0x30 ]
      0x31 backslash
      0x32 non-US #
      0x33 ;
      0x34 apostrophe
      0x35 `
      0x36 ,
      0x37 .
      0x38 /
      0x39 Caps Lock
      0x3a F1
      0x3b F2
      0x3c F3
      0x3d F4
      0x3e F5
      0x3f F6
      0x40 F7
      0x41 F8
      0x42 F9
      0x43 F10
      0x44 F11
      0x45 F12
      0x46 Print Screen
      0x47 Scroll Lock
      0x48 Pause
      0x49 Insert
      0x4a Home
      0x4b Page Up
      0x4c Delete
      0x4d End
      0x4e Page Down
      0x4f Right
      0x50 Left
      0x51 Down
      0x52 Up
      0x53 Num Lock
      0x54 keypad /
      0x55 keypad *
      0x56 keypad -
      0x57 keypad +
      0x58 keypad Enter
      0x59 keypad 1
      0x5a keypad 2
      0x5b keypad 3
      0x5c keypad 4
      0x5d keypad 5
      0x5e keypad 6
      0x5f keypad 7
      0x60 keypad 8
      0x61 keypad 9
      0x62 keypad 0
      0x63 keypad .
      0x64 non-US backslash
      0x65 Application
      0x66 Power
      0x67 keypad =
      0x68 F13
      0x69 F14
      0x6a F15
      0x6b F16
      0x6c F17
      0x6d F18
      0x6e F19
      0x6f F20
      0x70 F21
      0x71 F22
      0x72 F23
      0x73 F24
      0x74 Execute
      0x75 Help
      0x76 Menu
      0x77 Select
      0x78 Stop
      0x79 Again
      0x7a Undo
      0x7b Cut
      0x7c Copy
      0x7d Paste
      0x7e Find
      0x7f Mute
      0x80 Volume Up
      0x81 Volume Down
      0x85 keypad comma
      0x87 International 1
      0x88 International 2
      0x89 International 3
      0x8a International 4
      0x8b International 5
      0x8c International 6
      0x8d International 7
      0x8e International 8
      0x8f International 9
      0x90 Language 1
      0x91 Language 2
      0x92 Language 3
      0x93 Language 4
      0x94 Language 5
      0x95 Language 6
      0x96 Language 7
      0x97 Language 8
      0x98 Language 9
      0xe0 Left Control
      0xe1 Left Shift
      0xe2 Left Alt
      0xe3 Left GUI
      0xe4 Right Control
      0xe5 Right Shift
      0xe6 Right Alt
      0xe7 Right GUI
    enum hid-control-usage
      0x030 power
      0x031 reset
      0x032 sleep
      0x040 menu
      0x041 menu pick
      0x042 menu up
      0x043 menu down
      0x044 menu left
      0x045 menu right
      0x046 menu escape
      0x06f brightness up
      0x070 brightness down
      0x072 backlight toggle
      0x082 mode step
      0x083 recall last
      0x084 enter channel
      0x086 channel
      0x087 media select program
      0x088 media select computer
      0x089 media select TV
      0x08b media select DVD
      0x08d media select program guide
      0x08e media select phone
      0x094 quit
      0x095 help
      0x096 media select tape
      0x097 media select cable
      0x098 media select satellite
      0x09c channel up
      0x09d channel down
      0x0b0 play
      0x0b1 pause
      0x0b2 record
      0x0b3 fast forward
      0x0b4 rewind
      0x0b5 next track
      0x0b6 previous track
      0x0b7 stop
      0x0b8 eject
      0x0b9 random play
      0x0bc repeat
      0x0cc stop or eject
      0x0cd play or pause
      0x0ce play or skip
      0x0cf voice command
      0x0e0 volume
      0x0e2 mute
      0x0e3 bass
      0x0e4 treble
      0x0e5 bass boost
      0x0e7 loudness
      0x0e9 volume up
      0x0ea volume down
      0x100 slow tracking
      0x152 bass up
      0x153 bass down
      0x154 treble up
      0x155 treble down
      0x183 media player
      0x184 word processor
      0x186 spreadsheet
      0x18a mail
      0x18e calendar
      0x192 calculator
      0x194 file browser
      0x196 web browser
      0x199 chat
      0x19e screen lock
      0x19f control panel
      0x1a2 task list
      0x1a6 help center
      0x1ab spell check
      0x1ae keyboard layout
      0x1b1 screen saver
      0x1b4 files
      0x1b6 images
      0x1b7 music
      0x1bc instant messaging
      0x201 new
      0x202 open
      0x203 close
      0x204 exit
      0x207 save
      0x208 print
      0x21a undo
      0x21b copy
      0x21c cut
      0x21d paste
      0x21e select all
      0x21f find
      0x221 search
      0x222 go to
      0x223 home
      0x224 back
      0x225 forward
      0x226 stop loading
      0x227 refresh
      0x22a bookmarks
      0x22d zoom in
      0x22e zoom out
      0x22f zoom
      0x232 full screen
      0x233 scroll up
      0x234 scroll down
      0x238 pan
      0x23d edit
      0x25f cancel
      0x279 redo
      0x289 reply
      0x28b forward message
      0x28c send
      0x29d next keyboard layout
      0x29f show all windows
      0x2a0 show all applications
    enum hid-system
      0x80 system control
      0x81 power down
      0x82 sleep
      0x83 wake up
      0x84 context menu
      0x85 main menu
      0x86 application menu
      0x87 menu help
      0x88 menu exit
      0x89 menu select
      0x8a menu right
      0x8b menu left
      0x8c menu up
      0x8d menu down
      0x8e cold restart
      0x8f warm restart
      0x90 D-pad up
      0x91 D-pad down
      0x92 D-pad right
      0x93 D-pad left
      0x9b do not disturb
      0xa0 dock
      0xa1 undock
      0xa2 setup
      0xa7 speaker mute
      0xa8 hibernate
      0xa9 microphone mute
      0xb0 display invert
      0xb1 display internal
      0xb2 display external
      0xb3 display both
      0xb4 display dual
      0xb5 display toggle
    enum hid-button
      0x1 left
      0x2 right
      0x3 middle
      0x4 back
      0x5 forward
    enum hid-led
      0x01 Num Lock
      0x02 Caps Lock
      0x03 Scroll Lock
      0x04 Compose
      0x05 Kana
      0x06 power
      0x07 Shift
      0x08 do not disturb
      0x09 mute
      0x17 off hook
      0x18 ring
      0x19 message waiting
      0x20 hold
      0x21 microphone
      0x27 stand-by
      0x2a online
      0x2b busy
      0x2c ready
    """
}
