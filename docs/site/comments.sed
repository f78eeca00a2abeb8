# Doxygen reads /// where our headers have //: those before a declaration, those behind one, and the file's first lines.
1 s|^// |/// @file\n/// |
s|^\( *\)// |\1/// |
s|\([;,{}] *\) // |\1 ///< |
